import { type Fallback, type Handed, onCommit } from './handoff.js';
import { replaceProcess } from './system-calls.js';
import { FALLBACK_ENV, HANDOFF_ENV } from './variables.js';

/*
 * Loaded into a program that takes over a process, before anything of its own, from the installation that it replaces:
 * whatever ends it before it commits, a missing file as well as a fault, puts the old program back. Only what ends a
 * process without a word (a crash of native code, SIGKILL) is beyond it; the check before the handoff is to find that.
 */
const text = process.env[FALLBACK_ENV];
delete process.env[FALLBACK_ENV];
if (text !== undefined) guard(JSON.parse(text) as Fallback, { ...process.env });

function guard({ node, main, fds, withinMs }: Fallback, env: NodeJS.ProcessEnv): void {
  let reason: string | undefined;
  const goBack = (code: number) => {
    const { state } = JSON.parse(env[HANDOFF_ENV] ?? '{}') as Handed;
    const handed: Handed = { state, returned: reason ?? `it ended with code ${code} before it had taken over` };
    const back = { ...env, [HANDOFF_ENV]: JSON.stringify(handed) };
    replaceProcess({ command: node, args: [main], env: back, keep: fds });
  };
  const fault = (error: unknown) => {
    reason ??= error instanceof Error ? error.message : String(error);
  };
  const late = setTimeout(() => {
    reason = `it had not taken over after ${withinMs} ms`;
    goBack(0);
  }, withinMs);
  process.on('uncaughtExceptionMonitor', fault);
  process.on('exit', goBack);
  onCommit(() => {
    clearTimeout(late);
    process.off('exit', goBack);
    process.off('uncaughtExceptionMonitor', fault);
  });
}
