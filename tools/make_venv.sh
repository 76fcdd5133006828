#!/bin/sh
# Makes the virtual environment, and says in one sentence what is missing when it cannot.
set -eu
python=$1
venv=$2

if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    echo "fourcard needs Python 3.11 or newer as '$python'; name another with: make PYTHON=python3.12 ..." >&2
    exit 2
fi
if ! "$python" -c 'import ensurepip' 2>/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        apt-get -qq update && apt-get -qq install -y python3-venv >/dev/null
    else
        echo "This Python cannot make virtual environments; install the package python3-venv and try again." >&2
        exit 2
    fi
fi
# An interrupted set-up leaves an environment without pip: begin it again.
"$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$python" -m venv --clear "$venv"
