#!/bin/bash
# Looks like an agent at work: a spinner and a clock are repainted ten times a second, without starting a process for it.
exec 9<> <(:)
rule='────────────────────────────────────────────────────────────────────────────────────────────────'
printf '\033[2J\033[H⏺ I will look at the files first.\r\n\r\n⏺ Bash(npm test)\r\n  ⎿  Running…\r\n'
for i in {1..25}; do printf '     line %d of the output of a test run, which is fairly long ........................\r\n' "$i"; done
printf '\r\n✻ Thinking… (1s · esc to interrupt)\r\n\r\n%s\r\n❯ \r\n%s\r\n  ? for shortcuts\r\n' "$rule" "$rule"
glyphs=(✻ ✽ ✶ ✳ ✢ ·)
for ((frame = 0; ; frame++)); do
  read -r -t 0.1 -u 9
  printf '\033[7A\r%s Thinking… (%ds · esc to interrupt)\033[K\033[7B\r' "${glyphs[frame % 6]}" "$((frame / 10))"
done
