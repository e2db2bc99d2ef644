# cells.awk - prints one table of cells.sh; variables: title, marks (a file to write them to).
#
# Input, by file: first the differences, "ROW|COLUMN|OURS|MARK|WHY" a line, then the cells, "ROW
# COLUMN PAPER OURS KIND" between tabs. Output: the table, what differs and why, and the counts.

# "*" stands for any text, and [...] for one of the characters in it.
function matches(text, pattern) {
    gsub(/[().?+^$\\{}|]/, "\\\\&", pattern)
    gsub(/\*/, ".*", pattern)
    return text ~ "^" pattern "$"
}

function among(text, patterns,    i, n, part) {
    n = split(patterns, part, ",")
    for (i = 1; i <= n; i++)
        if (matches(text, part[i]))
            return 1
    return 0
}

function distance(a, b) { return a > b ? a - b : b - a }

# Rates are of 100 runs or more on either side: two samples of 100 from one source differ by at
# most 14 in a hundred, 19 times out of 20.
function same(paper, ours, kind) {
    if (kind == "rate" && ours ~ /^[0-9.]+$/)
        return distance(paper, ours) <= 14 && (paper > 0) == (ours > 0)
    if (kind == "near" && ours ~ /^[0-9.]+$/)
        return distance(paper, ours) <= paper / 10
    return paper == ours
}

# Sets mark and why.
function judge(row, column, paper, ours, kind,    i) {
    mark = "reproduced"
    why = ""
    if (same(paper, ours, kind))
        return
    mark = "not reproduced"
    for (i = 1; i <= n_known; i++)
        if (matches(row, known_row[i]) && among(column, known_column[i]) &&
            matches(ours, known_ours[i])) {
            mark = known_mark[i]
            why = known_why[i]
            return
        }
}

function note(row, column, paper, ours, kind) {
    judge(row, column, paper, ours, kind)
    printf "%s\t%s\t%s\t%s\t%s\t%s\n", row, column, paper, ours, mark, why >>marks
    count[mark]++
    text[row, column] = paper " / " ours " " sign[mark]
    if (length(text[row, column]) > width[column])
        width[column] = length(text[row, column])
    if (mark == "reproduced")
        return
    if (!((mark, why) in cells))
        reasons[++n_reasons] = mark SUBSEP why
    cells[mark, why] = cells[mark, why] (cells[mark, why] ? ", " : "") row " " column \
        (mark == "different" ? "" : " (" paper " / " ours ")")
    n_cells[mark, why]++
}

function pad(what, n) { return sprintf("%-" n "s", what) }

function print_table(    i, k, line) {
    line = pad("", widest)
    for (k = 1; k <= n_columns; k++) {
        if (length(columns[k]) > width[columns[k]])
            width[columns[k]] = length(columns[k])
        line = line "  " pad(columns[k], width[columns[k]])
    }
    sub(/ +$/, "", line)
    print line
    for (i = 1; i <= n_rows; i++) {
        line = pad(rows[i], widest)
        for (k = 1; k <= n_columns; k++)
            line = line "  " pad(text[rows[i], columns[k]], width[columns[k]])
        sub(/ +$/, "", line)
        print line
    }
}

function print_reasons(    i, part) {
    for (i = 1; i <= n_reasons; i++) {
        split(reasons[i], part, SUBSEP)
        printf "%s %s, %d: %s\n", sign[part[1]], part[1], n_cells[part[1], part[2]],
            part[2] ? part[2] : "NO REASON IS KNOWN"
        print "    " cells[part[1], part[2]]
    }
}

BEGIN {
    sign["reproduced"] = "="
    sign["different"] = "~"
    sign["not reproduced"] = "!"
}
FNR == 1 { file++ }
file == 1 {
    if ($0 !~ /^#/ && split($0, part, "|") == 5) {
        known_row[++n_known] = part[1]
        known_column[n_known] = part[2]
        known_ours[n_known] = part[3]
        known_mark[n_known] = part[4]
        known_why[n_known] = part[5]
    }
    next
}
{
    split($0, part, "\t")
    if (!(part[1] in seen_row)) {
        seen_row[part[1]] = 1
        rows[++n_rows] = part[1]
        if (length(part[1]) > widest)
            widest = length(part[1])
    }
    if (!(part[2] in seen_column)) {
        seen_column[part[2]] = 1
        columns[++n_columns] = part[2]
    }
    note(part[1], part[2], part[3], part[4], part[5])
}
END {
    print title ", paper / ours: = reproduced, ~ different, ! not reproduced"
    print_table()
    print_reasons()
    printf "%s: %d reproduced, %d different, %d not reproduced\n\n", title, count["reproduced"],
        count["different"], count["not reproduced"]
}
