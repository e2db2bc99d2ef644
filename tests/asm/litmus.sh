#!/bin/sh
# litmus.sh STALEMATE SOURCE WORK: which models allow the forbidden outcome. The last column
# names the models under which verify must find it; under all others it must find nothing.
set -u
stalemate=$1 source=$2 work=$3
mkdir -p "$work" && cd "$work" || exit 99
failed=0

judge()
{
    shape=$1 publish=$2 look=$3 fails=$4
    name=$shape-$publish-$look
    "$stalemate" cc -g -O1 -pthread "-D$shape" "-DPUBLISH=$publish" "-DLOOK=$look" "$source" \
        -o "$name" || exit 99
    for model in sc tso pso c11 hb; do
        wanted=0
        case " $fails " in *" $model "*) wanted=1 ;; esac
        "$stalemate" verify --model $model --out "$name.out" -- "./$name" </dev/null >text 2>&1
        got=$?
        [ $got -eq $wanted ] && continue
        echo "FAILED: $name under $model: exit status $got instead of $wanted" >&2
        cat text >&2
        failed=1
    done
}

while read -r shape publish look fails; do
    case $shape in MP | SB) judge "$shape" "$publish" "$look" "$fails" ;; esac
done <<'END'
MP MOV_STORE      MOV_LOAD
MP REGISTER_STORE MOV_LOAD
MP XCHG           MOV_LOAD
MP LOCK_ADD       XADD_LOAD
MP LOCK_BTS       MOV_LOAD
MP CMPXCHG        XADD_LOAD
MP PLAIN_STORE    MOV_LOAD   pso c11 hb
MP PLAIN_STORE    PLAIN_LOAD pso c11 hb
SB XCHG           MOV_LOAD
SB LOCK_ADD       MOV_LOAD
SB LOCK_BTS       XADD_LOAD
SB CMPXCHG        MOV_LOAD
SB MOV_MFENCE     MOV_LOAD
SB MOV_STACK      MOV_LOAD
SB MOV_MFENCE     PLAIN_LOAD
SB MOV_STORE      MOV_LOAD   tso pso c11 hb
SB MOV_BARRIER    MOV_LOAD   tso pso c11 hb
SB PLAIN_STORE    PLAIN_LOAD tso pso c11 hb
END
exit $failed
