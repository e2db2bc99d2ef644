# worst.awk - of the JSON of a hunt (-v of=stale or of=future): the worst behaviour that lies of
# that kind have shown, in the words of the paper's Table 1. With of=future a race counts only if
# trials failed whose only lies were future values ("by_future"): what store buffers or stale
# values break is left out.
function worse(kind,    rank) {
    rank = kind == "assertion" || kind == "crash" ? 4 : kind == "corruption" ? 3 : \
           kind == "hang" ? 2 : 1
    if (rank > most) {
        most = rank
        word = kind
    }
}
function word_of(kind) {
    return kind == "assert" ? "assertion" : kind == "signal" ? "crash" : \
           kind == "hang" || kind == "deadlock" ? "hang" : "corruption"
}
function finish_race() {
    if (!verdict)
        return
    if (verdict == "qos" && of == "stale")
        worse("slow")
    if (verdict == "destructive" && (of == "stale" || future_failures))
        worse(word_of(kind))
    verdict = ""
}
{ name = $2 }
name == "races" { on = 1 }
on && name == "failures" && /\[/ { finish_race(); on = 0 }
on && name == "id" { finish_race(); kind = ""; future_failures = 0 }
on && name == "verdict" { verdict = $4 }
on && name == "kind" && $4 !~ /^(read|write|atomic-read|atomic-write|rmw|free)$/ && !kind { kind = $4 }
on && name == "by_heuristic" { part = "heuristic" }
on && name == "by_future" { part = "future" }
on && name == "course" { part = "" }
on && part == "future" && name == "failures" { value = $3; gsub(/[^0-9]/, "", value); future_failures = value + 0 }
END { finish_race(); print word ? word : "none" }
