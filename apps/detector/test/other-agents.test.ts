import { describe, expect, it } from 'vitest';
import { BUNDLED_MANIFESTS, evaluate, readManifests } from '../src/engine.js';
import { screenOf } from './drawn-screen.js';

const failing = { debug: ignore, info: ignore, warn: fail, error: fail };
function ignore() {}
function fail(...told: unknown[]) {
  throw new Error(`a bundled manifest is faulty: ${JSON.stringify(told)}`);
}
const engines = (await readManifests({ bundled: BUNDLED_MANIFESTS, overrides: [] }, failing)).map(
  ({ engine }) => engine,
);

type Screen = readonly [process: string, state: 'idle' | 'working' | 'blocked' | 'unknown', what: string, text: string];

/**
 * Screens of agents of which there is no recording, drawn after what is known of them in public. `‸` is the cursor. They
 * keep the rules for any agent honest: an agent of this list that needs a rule of its own has one in its manifest.
 */
const SCREENS: readonly Screen[] = [
  ['aider', 'idle', 'at its prompt', 'Aider v0.86.2\nModel: big with diff edit format\n────────────────────\n> ‸'],
  [
    'aider',
    'idle',
    'in another mode, with a draft',
    'Tokens: 2.3k sent, 87 received.\n────────────────────\narchitect> what is‸',
  ],
  ['aider', 'working', 'before its model answers', '> explain the parser\n\n░█        Waiting for big‸'],
  [
    'aider',
    'working',
    'while text streams in',
    '> explain the parser\n\nThe parser reads words and\nbuilds a tree from‸',
  ],
  [
    'aider',
    'blocked',
    'at a question',
    "> /add\n\ncli.py\nAdd file to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: ‸",
  ],
  ['aider', 'blocked', 'at a command', "touch hello.txt\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]: ‸"],
  [
    'amp',
    'idle',
    'at its prompt',
    'Welcome to Amp\n\n╭──────────────────────────────smart─╮\n│ ‸                                  │\n╰────────────────────────~/demo (main)╯',
  ],
  [
    'amp',
    'working',
    'with a line below its prompt',
    '  Looking at the parser\n\n╭─11% of 300k────────────────smart─╮\n│ ‸                                │\n╰──────────────────── ~/demo (main)─╯\n  ≋ Running tools... Esc to cancel',
  ],
  [
    'amp',
    'blocked',
    'at an approval',
    '  Run this command?\n    $ touch hello.txt\n\n ❯ Approve\n   Allow All for This Session\n   Allow All for Every Session\n   Deny with feedback\n\n  Waiting for approval... Esc to cancel',
  ],
  [
    'cursor-agent',
    'idle',
    'at its prompt',
    '  Cursor Agent v2026.09.10\n  ~/demo · main\n\n ┌─────────────────────────────────────────────┐\n │ → Plan, search, build anything              │\n └─────────────────────────────────────────────┘\n  Auto\n  / commands · @ files · ! shell',
  ],
  [
    'cursor-agent',
    'working',
    'with a hint below its prompt',
    '  ┃ run the tests\n\n  ⬢ Generating.\n ┌─────────────────────────────────────────────┐\n │ → Add a follow-up                           │\n └─────────────────────────────────────────────┘\n  Auto · 97%                       ctrl+c to stop',
  ],
  [
    'cursor-agent',
    'blocked',
    'at a command',
    '  $ cargo test in .\n\n ┌─────────────────────────────────────────────┐\n │ Run this command?                           │\n │ Not in allowlist: cargo                     │\n │  → Run (once) (y) (enter)                   │\n │    Add Shell(cargo) to allowlist? (tab)     │\n │    Run Everything (shift+tab)               │\n │    Skip (esc or n)                          │\n └─────────────────────────────────────────────┘\n  Waiting for approval...',
  ],
  [
    'cursor-agent',
    'blocked',
    'at a command, without a box',
    '  $ echo hi\n\n Run this command?\n Not in allowlist: echo\n  → Run (once) (y)\n    Add Shell(echo) to allowlist? (tab)\n    Run Everything (shift+tab)\n    Skip & tell the agent what to do instead (esc or n)\n\n                    ctrl+r to review changed files',
  ],
  [
    'crush',
    'idle',
    'at its prompt',
    ' CRUSH ╱╱╱╱╱╱╱╱╱╱ ~/demo\n\n\n  > ‸Ready for instructions\n :::\n :::\n\n / or ctrl+p commands   ctrl+l models   ctrl+c quit   ctrl+g more',
  ],
  [
    'crush',
    'working',
    'with another footer',
    ' CRUSH ╱╱╱╱╱╱╱╱╱╱ ~/demo\n\n  The parser reads words\n\n  > ‸Working\n :::\n :::\n\n esc cancel   tab focus chat   ctrl+p commands   ctrl+c quit',
  ],
  [
    'crush',
    'blocked',
    'at a box over its chat',
    ' CRUSH ╱╱╱╱╱╱╱╱╱╱ ~/demo\n  ╭──────────────────────────────────────────╮\n  │ Permission Required ╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱╱ │\n  │ Tool bash                                │\n  │ touch hello.txt                          │\n  │    Allow    Allow for Session    Deny    │\n  │ ←/→ choose · enter confirm · esc cancel  │\n  ╰──────────────────────────────────────────╯\n  > Working\n :::\n\n esc cancel   ctrl+c quit',
  ],
  ['goose', 'idle', 'at its prompt', 'starting session | provider: local\n    logging to /tmp/x\n\n( O)> ‸'],
  ['goose', 'working', 'with its spinner', '( O)> explain the parser\n\n⠹  Herding thoughts across the meadow...'],
  [
    'goose',
    'blocked',
    'at a question of a tool',
    '─── shell | developer ──────────────────────────\ncommand: touch hello.txt\n\n◆  Goose would like to call the above tool, do you allow?\n│  ● Allow (Allow the tool call once)\n│  ○ Always Allow\n│  ○ Deny\n└',
  ],
  [
    'kimi',
    'idle',
    'at its prompt',
    '╭──────────────────────────────╮\n│ Welcome to Kimi CLI!         │\n╰──────────────────────────────╯\nada@demo✨ ‸\n\n\n12:01  agent (kimi-k2)   ctrl-x: toggle mode   context: 2.1%',
  ],
  ['kimi', 'working', 'with a moon', 'ada@demo✨ explain the parser\n⠧ Thinking...\n'],
  [
    'kimi',
    'blocked',
    'at an approval',
    '╭─ approval ───────────────────────────────────╮\n│ Shell is requesting approval to run command:  │\n│   touch hello.txt                             │\n│ → Approve once                                │\n│   Approve for this session                    │\n│   Reject, tell Kimi what to do instead        │\n╰───────────────────────────────────────────────╯',
  ],
  ['kiro-cli', 'idle', 'at its prompt', '✨ Welcome to Kiro\n\n> ‸'],
  ['kiro-cli', 'working', 'with its spinner', '> explain the parser\n\n⠋ Thinking...'],
  [
    'kiro-cli',
    'blocked',
    'above its prompt',
    "I will run the following command: touch hello.txt (using tool: shell)\n\nAllow this action? Use 't' to trust (always allow) this tool for the session. [y/n/t]:\n\n> ‸",
  ],
  [
    'droid',
    'idle',
    'at its prompt',
    ' Auto (Off) · all actions require approval        Sonnet\n╭──────────────────────────────────────────────────────╮\n│ > ‸Try "fix the test"                                │\n╰──────────────────────────────────────────────────────╯\n ? for help                                     IDE ⊘',
  ],
  [
    'droid',
    'working',
    'above its prompt',
    ' ⠹ Thinking...  (Press ESC to stop)\n\n╭──────────────────────────────────────────────────────╮\n│ > ‸                                                  │\n╰──────────────────────────────────────────────────────╯\n ? for help',
  ],
  [
    'droid',
    'blocked',
    'at a command',
    '╭──────────────────────────────────────────────────────╮\n│ EXECUTE  (touch hello.txt, impact: low)              │\n│                                                      │\n│ > Yes, allow                                         │\n│   Yes, and always allow low impact commands          │\n│   No, cancel                                         │\n╰──────────────────────────────────────────────────────╯\n  Use ↑↓ to navigate, Enter to select, Esc to cancel all',
  ],
  [
    'auggie',
    'idle',
    'at its prompt',
    '╭────────────────────────────────────────────────────╮\n│ › ‸Try "how do I log an error?"                    │\n╰────────────────────────────────────────────────────╯\n  ? to show shortcuts                     [Sonnet]  ~/demo',
  ],
  [
    'auggie',
    'working',
    'above its prompt',
    '  ⠼ Processing response... (12s • esc to interrupt)\n╭────────────────────────────────────────────────────╮\n│ › ‸                                                │\n╰────────────────────────────────────────────────────╯\n  ? to show shortcuts',
  ],
  [
    'hermes',
    'idle',
    'at its prompt',
    '─────────────────────────────────────────\n❯ ‸\n─────────────────────────────────────────\n ⚕ big │ 2.1K/200K │ [░░░░░░] 1% │ 3m',
  ],
  [
    'hermes',
    'blocked',
    'at a dangerous command',
    '╭──────────────────────────────────────────────╮\n│ ⚠️  Dangerous Command                         │\n│ rm -rf build                                 │\n│ ❯ 1. Allow once                              │\n│   2. Allow for this session                  │\n│   3. Add to permanent allowlist              │\n│   4. Deny                                    │\n╰──────────────────────────────────────────────╯\n  ↑/↓ to select, Enter to confirm',
  ],
  [
    'qodercli',
    'working',
    'above its prompt',
    '✳ Reading the sources… (4s · esc to interrupt)\n\n╭──────────────────────────────────────╮\n│ > ‸                                  │\n╰──────────────────────────────────────╯\n  ? for shortcuts',
  ],
  [
    'kilo',
    'blocked',
    'at a permission',
    '┃\n┃  △ Permission required\n┃    # Run a command\n┃  $ touch hello.txt\n┃\n┃   Allow once   Allow always   Reject        ctrl+f fullscreen  ⇆ select  enter confirm\n┃',
  ],
  [
    'kilo',
    'working',
    'with a bar below its prompt',
    '  ┃\n  ┃  hello\n  ┃\n\n     ▣  Code · Local\n\n  ┃\n  ┃\n  ┃  Code  · Local\n  ╹▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀\n   ⬝⬝■■■■⬝⬝  esc interrupt',
  ],
  [
    'cn',
    'idle',
    'at its prompt',
    '● hello\n\n● Let me look at this. Done.\n\n╭────────────────────────────────────────────────╮\n│ ● ▋Ask anything, @ for context, / for commands │\n╰────────────────────────────────────────────────╯\n  ~/demo',
  ],
  [
    'cn',
    'working',
    'with blank dots',
    '● hello\n\n ⠀⠀⠀  ( 2s • esc to interrupt )\n╭────────────────────────────────────────────────╮\n│ ● ▋Ask anything, @ for context, / for commands │\n╰────────────────────────────────────────────────╯\n  ~/demo',
  ],
  [
    'cn',
    'blocked',
    'at a command, while its dots still turn',
    '○ Bash(touch hello.txt)\n\n ⠾⠭⠻  ( 2s • esc to interrupt )\n╭────────────────────────────────────────────────╮\n│  Bash(touch hello.txt)                         │\n│  ⎿ Will run: touch hello.txt                   │\n│  Would you like to continue?                   │\n│                                                │\n│  > Continue (tab)                              │\n│    Continue + do not ask again (shift+tab)     │\n│    No, and say what to do differently (esc)    │\n╰────────────────────────────────────────────────╯\n  ~/demo',
  ],
  [
    'mastracode',
    'working',
    'with a clock below its prompt',
    '  Let me look at this\n\n╭────────────────────────────────╮\n│ •                              │\n╰────────────────────────────────╯\n▐build▌openai/big▌ 27s',
  ],
  [
    'mastracode',
    'idle',
    'with a clock that has stopped',
    '  Let me look at this. Done.\n\n╭────────────────────────────────╮\n│ •                              │\n╰────────────────────────────────╯\n▐build▌openai/big▌ 1m 4s ✓',
  ],
  [
    'devin',
    'blocked',
    'at a command',
    '  Devin wants to run: touch hello.txt\n\n  Do you want to allow this?\n  ❯ Yes\n    Yes, always allow\n    No, tell Devin what to do differently',
  ],
  [
    'letta',
    'blocked',
    'at an approval',
    "──────────────────────────────────────────\n Run this command?\n\n   touch hello.txt\n\n ❯ 1. Yes\n   2. Yes, and don't ask again for touch\n   3. No, and tell Letta Code what to do\n\n Enter to select · Esc to cancel",
  ],
  [
    'mistral-vibe',
    'blocked',
    'at a tool',
    '┌──────────────────────────────────────────┐\n│ ⚠ bash command                           │\n│ touch hello.txt                          │\n│ › 1. Yes                                 │\n│   2. Yes and always allow bash this session│\n│   3. No and tell the agent what to do    │\n│ ↑↓ navigate  Enter select  ESC reject    │\n└──────────────────────────────────────────┘',
  ],
];

describe('agents of which there is no recording', () => {
  it.each(SCREENS)('%s is told %s %s', (process, state, _, text) => {
    const verdict = evaluate(engines, screenOf(text, process));
    expect(verdict.state ?? 'unknown', `${verdict.rule}: ${JSON.stringify(verdict.evidence)}`).toBe(state);
    if (state === 'blocked') expect(verdict.question?.excerpt).not.toBe('');
  });
});
