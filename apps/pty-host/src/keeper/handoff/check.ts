import { spawn } from 'node:child_process';
import type { ServiceEnv } from '@switchyard/config';
import { SERVICE_ENV } from '@switchyard/config/service-env';
import type { NodeProgram } from '@switchyard/service/exec';
import { ownVersion } from '@switchyard/service/version';
import { KeeperFault } from '../fault.js';
import { nativePtyLoads } from '../native-pty.js';
import { KEEPER_PROTOCOL_VERSION } from '../protocol.js';
import { HANDOFF_FORMAT, type HandoffRecord, parseRecord, recordLines } from './record.js';

/** Word on the command line of a keeper that is only to say whether it could take over. */
export const CHECK = '--check';
/** A program that loads its parts and reads a record needs a fraction of a second, on a busy machine. */
const CHECK_MS = 15_000;
const MOST_OUTPUT = 64 * 1024;
/** The beginning of what it complains of is for people. */
const MOST_SAID = 1000;

/** What a keeper says of itself that could take over. */
export interface CheckAnswer {
  readonly ok: true;
  readonly software: string;
  readonly protocol: number;
  readonly format: number;
}

/**
 * Asks another installation's keeper whether it runs here and understands what it would be handed, in a process of its
 * own: whatever it does, nothing has changed.
 * @throws KeeperFault `version_mismatch` with what it said
 */
export async function checkSuccessor(
  program: NodeProgram,
  env: ServiceEnv,
  record: HandoffRecord,
): Promise<CheckAnswer> {
  const child = spawn(program.node, [program.main, CHECK], {
    env: { ...process.env, [SERVICE_ENV]: JSON.stringify(env) },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: CHECK_MS,
    killSignal: 'SIGKILL',
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      said[stream] = (said[stream] + text).slice(-MOST_OUTPUT);
    });
  }
  child.stdin.on('error', () => undefined); // It ended without reading: its end says more.
  child.stdin.end([...recordLines(record)].join(''));
  const how = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  const answer = answerIn(said.stdout);
  if (answer !== undefined) return answer;
  const facts = { how, said: said.stderr.trim().slice(0, MOST_SAID) };
  throw new KeeperFault('version_mismatch', `The other keeper cannot take over: its check ended with ${how}.`, facts);
}

/** The other side of {@link checkSuccessor}: reads a record on standard input. @throws what makes a handoff impossible */
export async function answerCheck(): Promise<void> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin) pieces.push(piece as Buffer);
  parseRecord(Buffer.concat(pieces).toString('utf8').trimEnd().split('\n'));
  const { systemCalls } = await import('@switchyard/service/exec');
  systemCalls();
  nativePtyLoads();
  const answer: CheckAnswer = {
    ok: true,
    software: ownVersion(),
    protocol: KEEPER_PROTOCOL_VERSION,
    format: HANDOFF_FORMAT,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}

function answerIn(text: string): CheckAnswer | undefined {
  try {
    const answer = JSON.parse(text) as Partial<CheckAnswer>;
    return answer.ok === true ? (answer as CheckAnswer) : undefined;
  } catch {
    return undefined; // It said something else, or nothing: it is refused with what it said.
  }
}
