# marks.sh, to be read with $source and $here set: lines TEXT writes the repairs of TEXT one a line,
# with the name of the source for P and its lines for marks; nothing for a comment.
sed -n 's/.*@\([a-z_][a-z_]*\).*/\1/p' "$source" | sort -ru >"$here/names"
: >"$here/marks"
while read -r mark; do
    printf 's/@%s\\b/%s/g\n' "$mark" "$(sed -n "/@$mark\\b/=" "$source" | head -1)" >>"$here/marks"
done <"$here/names"

lines()
{
    case $1 in '#'*) return ;; esac
    echo "$1" | tr ';' '\n' | sed -f "$here/marks" | sed "s/ P:/ $(basename "$source"):/g"
}
