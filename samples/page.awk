# SPDX-License-Identifier: MIT
# The text files NAME/page.txt, for `reproduce`: by -v mode=rules their commands
# as a makefile, by -v mode=page (and docs/studies/papers.md before the file) the page
# as Markdown, by -v mode=index the table of all pages, by -v mode=items the rows
# that docs/studies/papers.md has for the items of papers.
#
# A page.txt has lines `key: value`; lines that begin with a blank continue the
# value. # begins a comment.
#
#   short, title, authors, published, link, about      of the paper, first
#   item: NUMBER | WORDS      begins a figure, table or section of the paper
#   claim, ours:              the paper's statement, and our result
#   verdict:                  `same pattern`, or `differs: …`, `not reproduced:
#                             …`, `beyond the paper: …` with the reason (not on a
#                             page of no paper, which has no `published`)
#   run:, timed:              a command; timed ones measure times: they run after
#                             all others
#   show: FILE | WORDS        a picture of the commands, and its caption
#   table: FILE               a table of the commands, in Markdown
#
# Commands, pictures and tables before the first item stand first on the page.
#
# Commands run in the project's top folder and do not change it: they write to
# build/reproduced/NAME/ (@/ in the file). The target of a command is the file
# after its last > or -o; it depends on the programs, scenarios, scripts and
# targets that it names.

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function fault(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text >"/dev/stderr"
    failed = 1
    exit 1
}

# ---- reading a page.txt ----

# A line's key and value; a continued value is extended by each line.
function take(line) {
    if (line ~ /^[ \t]/) {
        if (key == "")
            fault("a continuation of nothing")
        value[entries] = value[entries] "\n" line
        return
    }
    if (!match(line, /^[a-z]+: */))
        fault("no `key: value`: " line)
    key = line
    sub(/:.*/, "", key)
    if (index(" short title authors published link about item claim ours verdict run timed show table ", " " key " ") == 0)
        fault("no such key: " key)
    entries++
    keys[entries] = key
    value[entries] = substr(line, RLENGTH + 1)
    source[entries] = FILENAME
    place[entries] = FILENAME ":" FNR
}

# The folder of entry i, and its commands as they are typed.
function folder(i,    name) {
    name = source[i]
    sub(/\/page.txt$/, "", name)
    sub(/.*\//, "", name)
    return name
}

function typed(i,    text) {
    text = value[i]
    gsub(/\n  /, "\n", text)
    gsub(/@\//, "build/reproduced/" folder(i) "/", text)
    return text
}

function is_command(i) {
    return keys[i] == "run" || keys[i] == "timed"
}

# ---- rules ----

# The target of command i, and in words[1 … n] the files that it names.
function read_command(i,    text, n, j, program, made) {
    text = typed(i)
    gsub(/['"\\;(){}]/, " ", text)
    n = split(text, words, /[ \t\n]+/)
    made = ""
    for (j = 1; j < n; j++) {
        if (words[j] ~ /^build\/(tools|analysis|bench)\//)
            program = words[j]
        if (words[j] != ">" && words[j] != "-o")
            continue
        made = words[j + 1]
        if (words[j] == "-o" && program ~ /hamon-sweep$/)
            made = made "/table.csv"
        else if (words[j] == "-o" && made !~ /\.[a-z0-9]+$/)
            made = made ".dat"
    }
    if (made !~ /^build\/reproduced\//) {
        printf "%s: the command makes no file in build/reproduced\n", place[i] >"/dev/stderr"
        failed = 1
        exit 1
    }
    word_count = n
    return made
}

# The name of a target's command in commands/.
function file_of(target) {
    sub(/^build\/reproduced\//, "", target)
    gsub(/\//, "+", target)
    return target
}

# A file that does not exist is no prerequisite: the command's message is clearer
# than make's.
function needed(path,    line, there) {
    there = (getline line <path) >= 0
    close(path)
    return there ? " " path : ""
}

# The maps that a scenario names.
function maps_of(scenario,    line, path, maps) {
    path = scenario
    sub(/[^\/]*$/, "", path)
    while ((getline line <scenario) > 0)
        if (line !~ /^#/ && match(line, /file = "[^"]*"/))
            maps = maps needed(path substr(line, RSTART + 8, RLENGTH - 9))
    close(scenario)
    return maps
}

# The target, other than `by`, that makes `word`: the target of that name, or one
# in a folder of its own, NAME/FOLDER/, that is or contains the word.
function made_before(word, by, targets, n,    j, dir) {
    for (j = 1; j <= n; j++) {
        if (targets[j] == by)
            continue
        if (targets[j] == word)
            return " " word
        dir = targets[j]
        sub(/[^\/]*$/, "", dir)
        if (gsub(/\//, "/", dir) > 3 && index(word "/", dir) == 1)
            return " " targets[j]
    }
    return ""
}

function rules(    i, j, n, target, needs, file, goals) {
    for (i = 1; i <= entries; i++)
        if (is_command(i)) {
            n++
            targets[n] = read_command(i)
            if (targets[n] in maker) {
                printf "%s: makes %s, as %s does\n", place[i], targets[n], maker[targets[n]] >"/dev/stderr"
                failed = 1
                exit 1
            }
            maker[targets[n]] = place[i]
            goals[keys[i]] = goals[keys[i]] " " targets[n]
        }
    printf ".DELETE_ON_ERROR:\nrun:%s\ntimed:%s\n.PHONY: run timed\n", goals["run"], goals["timed"]
    for (i = 1; i <= entries; i++) {
        if (!is_command(i))
            continue
        target = read_command(i)
        needs = ""
        for (j = 1; j <= word_count; j++)
            if (words[j] ~ /[*?$\[]/ && words[j] !~ /^build\/reproduced/)
                continue
            else if (words[j] ~ /^build\/(tools|analysis|bench)\/|^(samples|bench)\/.*\.[a-z0-9]+$/)
                needs = needs needed(words[j]) (words[j] ~ /\.cfg$/ ? maps_of(words[j]) : "")
            else if (words[j] ~ /^build\/reproduced\//)
                needs = needs made_before(words[j], target, targets, n)
        file = file_of(target)
        printf "%s\n", typed(i) >("commands/" file ".new")
        close("commands/" file ".new")
        printf "%s: commands/%s%s\n\t@$(RUN) commands/%s %s '%s'\n", target, file, needs, file, target, place[i]
    }
}

# ---- a page ----

function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    gsub(/"/, "\\&quot;", text)
    return text
}

function id_of(number) {
    number = tolower(number)
    gsub(/[^a-z0-9.]+/, "-", number)
    return number
}

# The kind of a verdict, for its colour and for the counts.
function kind_of(verdict) {
    if (verdict ~ /^same pattern/) return "same"
    if (verdict ~ /^differs/) return "differs"
    if (verdict ~ /^not reproduced/) return "missing"
    if (verdict ~ /^beyond the paper/) return "beyond"
    return ""
}

function verdict_of(verdict,    word) {
    word = verdict
    sub(/:.*/, "", word)
    return "<b class=\"" kind_of(verdict) "\">" word "</b>" substr(verdict, length(word) + 1)
}

# Width and height of a picture on the page: a quarter larger than on paper, so
# that letters of 7 points become 9 points. PNGs have 300 dots an inch.
function size_of(path,    line, text, n, number, command, wide, high) {
    if (path ~ /\.svg$/) {
        while ((getline line <path) > 0 && text !~ /viewBox="[^"]*"/)
            text = text line
        close(path)
        if (match(text, /viewBox="[^"]*"/)) {
            split(substr(text, RSTART + 9, RLENGTH - 10), number, " ")
            wide = number[3]
            high = number[4]
        }
        n = 1.25
        if (match(text, /width="[.0-9]*mm"/))
            n *= substr(text, RSTART + 7, RLENGTH - 10) / 25.4 * 96 / wide
        wide *= n
        high *= n
    } else {
        command = "od -An -tu1 -j16 -N8 '" path "'"
        command | getline line
        close(command)
        split(trim(line), number, / +/)
        wide = (number[3] * 256 + number[4]) / 300 * 96 * 1.25
        high = (number[7] * 256 + number[8]) / 300 * 96 * 1.25
    }
    if (!wide || !high) {
        printf "%s: no picture whose size can be read\n", path >"/dev/stderr"
        failed = 1
        exit 1
    }
    return sprintf("%.0f %.0f", wide, high)
}

function picture(i,    part, file, size) {
    split(value[i], part, / *[|] */)
    file = name "/" part[1]
    split(size_of("build/reproduced/" file), size, " ")
    printf "<figure style=\"--width: %d\"><a href=\"%s\"><img loading=\"lazy\" src=\"%s\" width=\"%d\" height=\"%d\" alt=\"%s\"></a><figcaption>%s</figcaption></figure>\n", \
        size[1], file, file, size[1], size[2], escape(part[2]), escape(part[2])
}

function table(i,    line, path, rows) {
    path = "build/reproduced/" name "/" value[i]
    printf "\n"
    while ((getline line <path) > 0) {
        print line
        rows++
    }
    close(path)
    if (!rows) {
        printf "%s: %s is empty\n", place[i], path >"/dev/stderr"
        failed = 1
        exit 1
    }
    printf "\n"
}

# Items from `from` to the one before `to`.
function item(from, to,    i, part) {
    split(value[from], part, / *[|] */)
    printf "\n<section class=\"item\" id=\"%s\">\n\n## %s: %s\n\n<div class=\"words\">\n\n", id_of(part[1]), part[1], part[2]
    for (i = from; i < to; i++) {
        if (keys[i] == "claim") printf "**%s:** %s\n\n", of_paper ? "The paper" : "Question", value[i]
        if (keys[i] == "ours") printf "**%s:** %s\n\n", of_paper ? "Here" : "Answer", value[i]
        if (keys[i] == "verdict") printf "%s\n\n", verdict_of(value[i])
    }
    printf "%s</div>\n<div class=\"shown\">\n<div class=\"pictures\">\n", commands_of(from, to)
    for (i = from; i < to; i++)
        if (keys[i] == "show") picture(i)
    printf "</div>\n"
    for (i = from; i < to; i++)
        if (keys[i] == "table") table(i)
    printf "</div>\n</section>\n"
}

function first(what,    i) {
    for (i = 1; i <= entries && keys[i] != "item"; i++)
        if (keys[i] == what)
            return value[i]
    return ""
}

# What stands before the first item: the paper's numbers beside ours.
function beside(    i, to, commands) {
    for (to = 1; to <= entries && keys[to] != "item"; to++)
        continue
    commands = commands_of(1, to)
    if (commands == "")
        return
    printf "<section id=\"numbers\">\n\n## The paper's numbers and ours\n\n<div class=\"pictures\">\n"
    for (i = 1; i < to; i++)
        if (keys[i] == "show") picture(i)
    printf "</div>\n\n<details><summary>Table</summary>\n"
    for (i = 1; i < to; i++)
        if (keys[i] == "table") table(i)
    printf "</details>\n\n%s</section>\n\n", commands
}

# The commands of the entries from … to − 1, to be opened: the scenarios that they
# name, and the seconds that they took.
function commands_of(from, to,    i, j, text, took, known, seconds, links, seen) {
    for (i = from; i < to; i++) {
        if (!is_command(i))
            continue
        text = text (text ? "\n" : "") typed(i)
        took = seconds_of(read_command(i))
        known = known || took != ""
        seconds += took
        for (j = 1; j <= word_count; j++)
            if (words[j] ~ /^samples\/.*\.cfg$/ && !seen[words[j]]++)
                links = links ", <a href=\".run/" words[j] "\">" words[j] "</a>"
    }
    if (text == "")
        return ""
    sub(/^, /, "", links)
    return sprintf("<details><summary>Commands%s</summary>%s<pre>%s</pre></details>\n\n", \
        known ? sprintf(seconds < 10 ? ", %.1f s" : ", %.0f s", seconds) : "", links ? "<p>" links "</p>" : "", escape(text))
}

# Of the command that makes a file, as `reproduce` measured them.
function seconds_of(target,    file, line) {
    file = "commands/" file_of(target) ".seconds"
    getline line <file
    close(file)
    return line
}

# The first table: a row for every item, and one for the equations.
function overview(    i, part, j, words, counted) {
    printf "| item | what |%s\n|---|---|%s\n", of_paper ? " result |" : "", of_paper ? "---|" : ""
    for (i = 1; i <= entries; i++)
        if (keys[i] == "item") {
            split(value[i], part, / *[|] */)
            if (!of_paper)
                printf "| [%s](#%s) | %s |\n", part[1], id_of(part[1]), part[2]
            for (j = i + 1; j <= entries && keys[j] != "item"; j++)
                if (keys[j] == "verdict") {
                    words = value[j]
                    gsub(/\n[ \t]*/, " ", words)
                    printf "| [%s](#%s) | %s | %s |\n", part[1], id_of(part[1]), part[2], verdict_of(words)
                    counted[kind_of(words)] += members(part[1])
                }
        }
    for (i = 1; i <= equations; i++)
        if (equation[i] ~ /^\| \(/)
            counted["equation"]++
    if (equations)
        printf "| [Equations and rules](#equations) | %d | <b class=\"same\">computed</b> |\n", equations
    printf "\n"
    printf "%s\t%s\t%s\t%d\t%d\t%d\t%d\n", name, first("short"), first("title"), counted["same"], \
        counted["differs"], counted["missing"], counted["equation"] >>"counts"
}

# How many of the paper's numbers an item covers: "Figures 3.1, 3.2".
function members(number,    each) {
    return split(number, each, /,/)
}

function check(    i, last, has) {
    for (i = 1; i <= entries + 1; i++) {
        if (i > entries || keys[i] == "item") {
            if (last && (!has["claim"] || !has["ours"] || has["verdict"] + 0 != of_paper)) {
                printf "%s: an item needs claim and ours, and of a paper a verdict\n", place[last] >"/dev/stderr"
                failed = 1
                exit 1
            }
            last = i
            delete has
        } else {
            has[keys[i]] = 1
        }
        if (keys[i] == "verdict" && (kind_of(value[i]) == "" || (value[i] !~ /: / && value[i] !~ /^same/))) {
            printf "%s: no such verdict, or one without its reason\n", place[i] >"/dev/stderr"
            failed = 1
            exit 1
        }
    }
}

function page(    i, j) {
    printf "<header>\n\n[Four papers, reproduced](index.html)\n\n# %s\n\n", first("short")
    if (of_paper)
        printf "%s%s. %s.%s\n\n", first("authors") ? first("authors") ": " : "", first("title"), first("published"), \
            first("link") ? " [" first("link") "](" first("link") ")" : ""
    printf "%s\n\n</header>\n<main>\n\n", first("about")
    beside()
    overview()
    for (i = 1; i <= entries; i++)
        if (keys[i] == "item") {
            for (j = i + 1; j <= entries && keys[j] != "item"; j++)
                continue
            item(i, j)
        }
    if (equations) {
        printf "\n<section id=\"equations\">\n\n## Equations and rules\n\n%s\n", head
        for (i = 1; i <= equations; i++)
            print equation[i]
        printf "\n</section>\n"
    }
    printf "\n</main>\n"
}

# ---- the index ----

function index_page(    part) {
    printf "<main>\n\n# Four papers, reproduced\n\n%s\n\nBy %s.\n\n", first("about"), by
    printf "| page | title | same pattern | differs | not reproduced | equations |\n|---|---|---:|---:|---:|---:|\n"
    while ((getline line <"counts") > 0) {
        split(line, part, "\t")
        printf "| [%s](%s.html) | %s | %d | %d | %d | %d |\n", part[2], part[1], part[3], part[4], part[5], part[6], part[7]
    }
    printf "\n</main>\n"
}

# ---- the rows in docs/studies/papers.md ----

# The row of a paper's items with the verdict "same pattern"; then of each other
# item its number, words and verdict. A link within the page becomes its words.
function items(    i, paper, part, words, row, same, kind, last) {
    for (i = 1; i <= entries; i++) {
        if (keys[i] == "short")
            paper = value[i]
        if (keys[i] == "item")
            split(value[i], part, / *[|] */)
        if (keys[i] != "verdict")
            continue
        words = value[i]
        gsub(/\n[ \t]*/, " ", words)
        gsub(/\[|\]\(#[^)]*\)/, "", words)
        if (words == "same pattern") { # Figure 1, 2, Table 2
            kind = part[1]
            sub(/ .*/, "", kind)
            same = same (same ? ", " : "") (kind == last && kind != "§" ? substr(part[1], length(kind) + 2) : part[1])
            last = kind
        } else
            row = row "| " paper " | " part[1] " | " part[2] " | " words " |\n"
    }
    if (same)
        printf "| %s | %s | | same pattern |\n", paper, same
    printf "%s", row
}

FILENAME ~ /papers.md$/ {
    if (/^## /)
        wanted = index($0, "## " word) == 1
    else if (wanted && /^\|---/)
        head = head "\n" $0
    else if (wanted && /^\|/) {
        if (head == "")
            head = $0
        else
            equation[++equations] = $0
    }
    next
}
/^#/ || /^[ \t]*$/ { next }
{ take($0) }
END {
    if (failed)
        exit 1
    if (mode == "page") {
        of_paper = first("published") != ""
        check()
    }
    if (mode == "rules") rules()
    if (mode == "page") page()
    if (mode == "index") index_page()
    if (mode == "items") items()
}
