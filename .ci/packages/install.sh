#!/bin/sh
# Installs the program `flockwork`: downloads the archive for this system, compares its checksum, and unpacks it.
#
#     curl -LsSf https://flockwork.example/releases/latest/download/install.sh | sh
#     sh install.sh --archive flockwork-x86_64-unknown-linux-musl.tar.gz     # offline
#
# It needs no compiler, and writes only below the folders that it names. `sh install.sh --help` lists the options.
set -eu

# Where releases are: the `repository` of Cargo.toml. FLOCKWORK_ADDRESS names a mirror.
address=${FLOCKWORK_ADDRESS:-https://flockwork.example}
address=${address%/}

say() { printf '%s\n' "$*"; }
fail() {
    printf 'error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf 'help: %s\n' "$2" >&2
    exit 1
}

usage() {
    cat <<'HELP'
Installs the program `flockwork`.

Usage: sh install.sh [OPTIONS]

Options:
  --to FOLDER       Put only the program, and into this folder [default: ~/.local/bin, with manual pages and completions]
  --version X.Y.Z   Install this version [default: the newest]
  --without-window  On Linux: install the program without `flockwork view`, which needs no library at all
  --archive FILE    Install from this archive instead of downloading one. Its checksum is read from SHA256SUMS beside it
  --only-program    Install no manual pages and no completions
  --uninstall       Remove what the same options have installed
  --help            Print this text

Environment:
  FLOCKWORK_ADDRESS   Where releases are, such as a mirror
HELP
}

# Writes the manual pages and completions below the folder for data.
write_extras() {
    for page in "$unpacked"man/*.1; do put "$page" man/man1 "${page##*/}" || return; done
    put "${unpacked}completions/flockwork.bash" bash-completion/completions flockwork &&
        put "${unpacked}completions/_flockwork" zsh/site-functions _flockwork &&
        put "${unpacked}completions/flockwork.fish" fish/vendor_completions.d flockwork.fish
}
put() { mkdir -p "$data/$2" 2>/dev/null && cp "$1" "$data/$2/$3" 2>/dev/null; }

uninstall() {
    [ -e "$to/flockwork" ] || fail "there is no $to/flockwork" "name the folder that it is in: --to FOLDER"
    rm -f "$to/flockwork"
    say "removed $to/flockwork"
    [ $extras = yes ] || return 0
    rm -f "$data"/man/man1/flockwork.1 "$data"/man/man1/flockwork-*.1 "$data/bash-completion/completions/flockwork" \
        "$data/zsh/site-functions/_flockwork" "$data/fish/vendor_completions.d/flockwork.fish"
    say "removed its manual pages and completions below $data"
}

main() {
    to="" version=latest window=yes archive="" extras=yes uninstall=no
    while [ $# -gt 0 ]; do
        case $1 in
            --to | --version | --archive)
                [ $# -ge 2 ] || fail "\`$1\` needs a value" "sh install.sh --help"
                case $1 in
                    --to) to=$2 extras=no ;;
                    --version) version=${2#v} ;;
                    --archive) archive=$2 ;;
                esac
                shift
                ;;
            --without-window) window=no ;;
            --only-program) extras=no ;;
            --uninstall) uninstall=yes ;;
            --help | -h) usage; exit 0 ;;
            *) fail "there is no option \`$1\`" "sh install.sh --help lists the options" ;;
        esac
        shift
    done
    if [ -z "$to" ]; then
        [ -n "${HOME:-}" ] || fail "HOME is not set, so there is no default folder" "name one: --to FOLDER"
        to=$HOME/.local/bin
    fi
    case $to in /*) ;; *) to=$PWD/$to ;; esac
    data=${XDG_DATA_HOME:-${HOME:-}/.local/share}
    if [ $uninstall = yes ]; then
        uninstall
        exit 0
    fi
    # Tested first, since the download may take long.
    existing=$to
    while [ ! -e "$existing" ]; do existing=$(dirname "$existing"); done
    [ -d "$existing" ] && [ -w "$existing" ] || fail "cannot write to the folder $to" "name another one: --to FOLDER"

    # The window needs glibc 2.28 or newer; the other program for Linux needs nothing.
    has_glibc() {
        glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || return 1
        glibc=${glibc#glibc 2.}
        [ "${glibc%%.*}" -ge 28 ] 2>/dev/null
    }
    system=$(uname -s) machine=$(uname -m)
    case $machine in
        x86_64 | amd64) machine=x86_64 ;;
        aarch64 | arm64) machine=aarch64 ;;
    esac
    case $system-$machine in
        Linux-x86_64)
            if [ $window = yes ] && has_glibc; then target=x86_64-unknown-linux-gnu
            else target=x86_64-unknown-linux-musl; fi
            ;;
        Linux-aarch64) target=aarch64-unknown-linux-musl ;;
        Darwin-aarch64) target=aarch64-apple-darwin ;;
        Darwin-x86_64) target=x86_64-apple-darwin ;;
        MINGW*-x86_64 | MSYS*-x86_64 | CYGWIN*-x86_64)
            fail "this script does not install on Windows" "unpack $address/releases/latest/download/flockwork-x86_64-pc-windows-gnu.zip" ;;
        *) fail "there is no program for $system on $machine" "build it from source: cargo install --path viewer" ;;
    esac

    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM

    if [ -z "$archive" ]; then
        name=flockwork-$target.tar.gz
        case $version in
            latest) from=$address/releases/latest/download ;;
            *) from=$address/releases/download/v$version ;;
        esac
        if command -v curl >/dev/null 2>&1; then download() { curl --proto '=https,http,file' -LsSf -o "$2" "$1"; }
        elif command -v wget >/dev/null 2>&1; then download() { wget -q -O "$2" "$1"; }
        else fail "neither curl nor wget is installed" "download $from/$name and SHA256SUMS, then: sh install.sh --archive $name"; fi
        say "downloading $from/$name"
        archive=$work/$name
        for file in "$name" SHA256SUMS; do
            download "$from/$file" "$work/$file" || fail "could not download $from/$file" "is the version right, and is there a connection?"
        done
    fi
    [ -f "$archive" ] || fail "there is no file $archive"

    name=${archive##*/}
    case $archive in */*) folder=${archive%/*} ;; *) folder=. ;; esac
    sums=$folder/SHA256SUMS
    [ -f "$sums" ] || fail "there is no file $sums to compare the checksum with" "download it from where the archive is"
    expected=$(awk -v name="$name" '$2 == name { print $1 }' "$sums")
    [ -n "$expected" ] || fail "$sums has no line for $name"
    if command -v sha256sum >/dev/null 2>&1; then actual=$(sha256sum <"$archive")
    elif command -v shasum >/dev/null 2>&1; then actual=$(shasum -a 256 <"$archive")
    else fail "neither sha256sum nor shasum is installed, so the archive cannot be checked"; fi
    actual=${actual%% *}
    [ "$actual" = "$expected" ] || fail "$name is damaged: its SHA-256 is $actual, but $sums says $expected" "download it again"
    say "checked the SHA-256 of $name"

    tar -xzf "$archive" -C "$work" || fail "could not unpack $archive"
    unpacked=$(echo "$work"/flockwork-*/)
    "${unpacked}flockwork" --version >/dev/null || fail "the program in $name does not run on this system"
    # A running program cannot be overwritten, but replaced.
    mkdir -p "$to" && cp "${unpacked}flockwork" "$to/.flockwork.new" && mv -f "$to/.flockwork.new" "$to/flockwork" ||
        fail "cannot write $to/flockwork" "is there room on the disk?"
    say "installed $("$to/flockwork" --version | head -n 1) as $to/flockwork"

    if [ $extras = yes ]; then
        if write_extras; then say "installed manual pages and completions of bash, zsh and fish below $data"
        else say "note: manual pages or completions could not be written below $data; the program is complete without them"; fi
    fi

    case :$PATH: in
        *:"$to":*) ;;
        *) say "$to is not in your PATH. Add it: export PATH=\"$to:\$PATH\"" ;;
    esac
}

# At the end, so that nothing happens if the download of this script was cut off.
main "$@"
