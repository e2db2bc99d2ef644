# paragraphs.sh - sourced by scripts that read a list of projects, of which $list is the path.

# field NAME KEY: the value of "KEY: value" in the project's paragraph.
field() {
    awk -v RS= -v name="$1" -v key="$2: " '
        index($0, "name: " name "\n") == 1 {
            n = split($0, lines, "\n")
            for (i = 1; i <= n; i++)
                if (index(lines[i], key) == 1)
                    print substr(lines[i], length(key) + 1)
        }' "$list"
}
