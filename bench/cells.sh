# cells.sh - tables of a paper beside ours, cell by cell; sourced by the scripts behind
# `make reproduce-*`.
#
#   table TITLE DIFFERENCES             a table begins
#   cell ROW COLUMN PAPER OURS [KIND]   KIND: exact (default); rate, in per cent of at least 100
#                                       runs; near, within a tenth
#   table_end                           prints it, what differs and why, and how many cells are
#                                       reproduced, different, not reproduced
#   tables_end                          the sums; fails if a cell differs and no reason is known
#
# DIFFERENCES has the known ones, a line each: ROW|COLUMN|OURS|MARK|WHY, where MARK is "different"
# (the same question has another answer here, for that reason) or "not reproduced" (what the paper
# shows cannot be seen here), "*" stands for any text, [...] for one of these characters; COLUMN may be several, with commas. OURS is part of it: where ours changes,
# the reason no longer holds. A cell that differs without one is not reproduced. What a cell is
# marked does not depend on who is better.
#
# The caller has set `here`, its own directory, and `cells_dir`, an empty one. All cells with their marks are in its file
# `marks`: row, column, paper, ours, mark, why, between tabs.

table() {
    cells_title=$1 cells_known=$2
    : >"$cells_dir/cells"
}

cell() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-exact}" >>"$cells_dir/cells"; }

table_end() {
    awk -v title="$cells_title" -v marks="$cells_dir/marks" -f "$here/../cells.awk" "$cells_known" \
        "$cells_dir/cells"
}

tables_end() {
    awk -F '\t' '{ n[$5]++ } $5 == "not reproduced" && $6 == "" { unknown++ }
        END {
            printf "all tables: %d reproduced, %d different, %d not reproduced\n", n["reproduced"],
                n["different"], n["not reproduced"]
            if (unknown)
                printf "FAILED: no reason is known for %d of them\n", unknown
            exit unknown > 0
        }' "$cells_dir/marks"
}
