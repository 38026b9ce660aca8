# SPDX-License-Identifier: MIT
# TAP for shell tests: source it, call ok/is/skip, end with `finish`.

tap_count=0
tap_failed=0
top=${abs_top_srcdir:-$PWD}
built=${abs_top_builddir:-$top/build}
PATH=$built/tools:$built/analysis:$PATH
work=$(mktemp -d "${TMPDIR:-/tmp}/hamon-test.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# ok NAME COMMAND…: passes if the command succeeds.
ok() {
    tap_name=$1
    shift
    tap_count=$((tap_count + 1))
    if "$@" >"$work/tap.out" 2>&1; then
        echo "ok $tap_count - $tap_name"
    else
        tap_code=$?
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $tap_name"
        echo "# exit $tap_code of: $*"
        sed 's/^/# /' "$work/tap.out" | head -n 40
    fi
}

# is NAME EXPECTED ACTUAL: passes if the two texts are equal.
is() {
    tap_count=$((tap_count + 1))
    if [ "$2" = "$3" ]; then
        echo "ok $tap_count - $1"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $1"
        printf 'expected: %s\nactual:   %s\n' "$2" "$3" | sed 's/^/# /'
    fi
}

# exits CODE COMMAND…: succeeds if the command ends with exactly this code.
exits() {
    tap_expected=$1
    shift
    tap_got=0
    "$@" || tap_got=$?
    [ "$tap_got" -eq "$tap_expected" ] || {
        echo "exit $tap_got, not $tap_expected"
        return 1
    }
}

# deep NAME COMMAND…: ok, but in make check-long only: what takes long, or repeats
# with other formats and settings what another test of make check shows.
in_depth() { [ -n "${HAMON_CHECK_LONG:-}" ]; }
deep() { ! in_depth || ok "$@"; }

skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# await COMMAND…: waits until the command succeeds. It fails only after minutes,
# when the program that should cause this must have ended or hangs.
await() {
    await_left=3000
    until "$@" >/dev/null 2>&1; do
        [ $((await_left -= 1)) -gt 0 ] || { echo "in vain: $*"; return 1; }
        sleep .05
    done
}

# committed FILE: the number of rows of the recording on disk; 0 if there is none.
committed() {
    committed_rows=$(hamon-info "$1" 2>/dev/null | sed -n 's/^ *rows *\([0-9]*\),.*/\1/p')
    echo "${committed_rows:-0}"
}

# has_rows FILE COUNT: are more than COUNT rows on disk?
has_rows() {
    [ "$(committed "$1")" -gt "$2" ]
}

# pause_when PROCESS COMMAND…: lets the process, or with -GROUP all of a group,
# run for moments until the command succeeds while it is stopped. So it is as
# far as that and little farther, however slow this script is. It stays stopped:
# send it a signal, and then CONT.
pause_when() {
    pause_process=$1 pause_left=3000
    shift
    until kill -s STOP -- "$pause_process" 2>/dev/null && "$@" >/dev/null 2>&1; do
        [ $((pause_left -= 1)) -gt 0 ] || {
            kill -s KILL -- "$pause_process"
            echo "in vain: $*"
            return 1
        }
        kill -s CONT -- "$pause_process" 2>/dev/null
        sleep .02
    done
}

# reads_take_memory: does this kernel count pages that were read and never
# written? If so, reading an empty map counts as using its memory.
reads_take_memory() {
    python3 - <<'PY'
import mmap, resource, sys
taken = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
size, before = 64 << 20, taken()
pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
for at in range(0, size, mmap.PAGESIZE):
    pages[at]
sys.exit(taken() - before < size >> 11)
PY
}

# built_with LIBRARY: has this build the library, QPDF, KISSFFT or LAPACK?
built_with() { grep -q "^#define HAMON_$1 1" "$built/config.h"; }

# wanted PROGRAM NAME: is this program of others installed? If not, the test
# NAME is skipped, or fails if HAMON_REFERENCES requires it (CI).
wanted() {
    command -v "$1" >/dev/null 2>&1 && return 0
    if [ "${HAMON_REFERENCES:-}" = required ]; then
        ok "$2" false
    else
        skip "$2" "$1 is not installed"
    fi
    return 1
}

# site: from here on configure takes what the build under test has found out, but
# for the targets that it rejects.
site() {
    sed -n '/^## Cache variables/,/^## Output variables/p' "$built/config.log" |
        grep -E '^(ac|am|hamon)_cv_' | grep -vE '^(ac_cv_env_|hamon_cv_(64bit|little))' >"$work/site" &&
        CONFIG_SITE=$work/site &&
        export CONFIG_SITE
}

# pdf_letters FILE: the PDF's fonts are embedded, and its letters have 6.2 to 8
# points: one side of a word's box is this size times 1.164, the line height of
# DejaVu.
pdf_letters() {
    pdffonts "$1" | awk 'NR > 2 { n++; if ($(NF - 4) != "yes") bad = 1 }
        END { exit bad || !n }' || return
    pdftotext -bbox "$1" - | tr -d '"' | awk -F '[= >]' '
        function fits(size) { return size > 6.2 * 1.16 && size < 8 * 1.168 }
        /<word/ {
            for (i = 1; i < NF; i++) at[$i] = $(i + 1)
            words++
            if (!fits(at["xMax"] - at["xMin"]) && !fits(at["yMax"] - at["yMin"])) {
                print
                bad = 1
            }
        }
        END { print words + 0, "words"; exit bad || words < 10 }'
}

# pdf_words FILE: the words are whole, do not overlap, and are on the page,
# whose outermost pixels are white.
pdf_words() {
    pdftotext -bbox "$1" "$work/words.html" && pdftoppm -r 150 -singlefile "$1" "$work/edge" &&
        python3 "$top/tests/tools/vector.py" apart "$work/words.html" "$work/edge.ppm"
}

# tex_table FILE: a tabular of booktabs and siunitx: braces balanced, each row
# with as many cells as columns, special characters escaped.
tex_table() {
    awk '
        function fault(what) { print FNR ": " what ": " line; bad = 1 }
        { line = $0 }
        FNR == 1 { if ($0 != "% \\usepackage{booktabs,siunitx}") fault("head"); next }
        {
            gsub(/\\[{}$&#_%]/, "")
            if (/[#_%^~]/) fault("not escaped")
            open += gsub(/[{]/, "{")
            open -= gsub(/[}]/, "}")
            if (open < 0) fault("brace")
        }
        /^\\begin[{]tabular[}]/ {
            text = $0
            sub(/^.*tabular[}][{]/, "", text)
            gsub(/@[{][}]|\[[^]]*\]|[ }]/, "", text)
            columns = length(text)
            tabulars++
            if (text !~ /^l+[Sc]+$/) fault("columns")
            next
        }
        /^\\(toprule|midrule|bottomrule|end[{]tabular[}])$/ { rules++; next }
        /^(\\medskip)?$/ { next }
        {
            rows++
            if ($0 !~ / \\\\$/) fault("no end of row")
            if (gsub(/&/, "&") != columns - 1) fault("cells")
        }
        END {
            print columns + 0, "columns,", rows + 0, "rows"
            exit bad || open || !tabulars || rules != 4 * tabulars || rows < 2 * tabulars || columns < 2
        }' "$1"
}

# has_bars NAME 0|1: does the chart NAME.svg have error bars? It then differs from
# the picture that its script draws without them.
has_bars() {
    has_script=$work/tap.gp has_drawn=$work/tap.svg has_code=0
    sed 's/^barred(.*/barred(x, low, high) = NaN/' "$1.gp" >"$has_script"
    ! cmp -s "$1.gp" "$has_script" && gnuplot -c "$has_script" svg "$has_drawn" "$1.dat" || return
    sed -n '/gnuplot_canvas/,$p' "$has_drawn" >"$work/tap.bare"
    sed -n '/gnuplot_canvas/,$p' "$1.svg" | cmp - "$work/tap.bare" || has_code=$?
    rm "$has_script" "$has_drawn" "$work/tap.bare"
    [ "$has_code" -eq "$2" ]
}

finish() {
    echo "1..$tap_count"
    [ "$tap_failed" -eq 0 ]
    exit
}
