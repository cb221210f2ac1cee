#!/bin/bash
# Looks like an agent that works or rests, as the lines it reads say, and paints nothing in between.
stty -echo
rule='────────────────────────────────────────────────────────────────────────────────'
state=idle
turn=0
while :; do
  printf '\033[2J\033[H⏺ Turn %d of this agent is here.\r\n\r\n' "$turn"
  [[ $state == working ]] && printf '✻ Thinking… (%ds · esc to interrupt)\r\n\r\n' "$turn"
  printf '%s\r\n❯ \r\n%s\r\n  ? for shortcuts\033[2A\r\033[2C' "$rule" "$rule"
  read -r state || exit
  turn=$((turn + 1))
done
