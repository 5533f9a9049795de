#!/usr/bin/env bash
# Pays invoices.
set -euo pipefail

source "$(dirname "$0")/lib/basket.sh"
. ./config.sh

readonly LIMIT=10
export MODE=fast
declare -A TABLE=([a]=1)
name="invoice"

# Pays one.
pay() {
  local line="$1"
  basket_add "$line" "$LIMIT"
  if helper "$line"; then
    printf '%s\n' "$name"
  fi
}

function helper {
  echo "$1" | sort -u
}

alias ll='ls -l'
pay "$@"
