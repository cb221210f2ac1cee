import { describe, expect, it } from 'vitest';
import { type Ancestor, speakerOf } from './speaker.js';

const shell = (pid: number): Ancestor => ({ pid, group: pid, session: 1, names: ['bash'], serves: false });
const agent = (pid: number, name: string, group = pid, session = 1): Ancestor => ({
  pid,
  group,
  session,
  names: [name],
  serves: false,
});
const server = (pid: number, name: string): Ancestor => ({ ...agent(pid, name, pid, pid), serves: true });

describe('who speaks', () => {
  it('is the agent above the hook, whatever shells are between', () => {
    expect(speakerOf('claude', [shell(9), agent(8, 'claude'), shell(7)])).toEqual({
      agent: 'claude',
      pid: 8,
      nested: false,
      served: false,
    });
  });

  it('is taken from the hook where no agent is seen', () => {
    expect(speakerOf('claude', [])).toEqual({ agent: 'claude', pid: null, nested: false, served: false });
    expect(speakerOf('claude', [shell(9)])).toEqual({ agent: 'claude', pid: null, nested: false, served: false });
  });

  it('D15: is nested when another agent stands above it, of the same kind or not', () => {
    expect(speakerOf('claude', [agent(9, 'claude'), shell(8), agent(7, 'claude')]).nested).toBe(true);
    expect(speakerOf('claude', [agent(9, 'claude', 9), agent(7, 'claude', 7)]).nested, 'started without a shell').toBe(
      true,
    );
    expect(speakerOf('codex', [agent(9, 'codex', 7), agent(7, 'claude', 7)]).nested).toBe(true);
  });

  it('is not nested when it was started by a launcher of its own', () => {
    expect(speakerOf('codex', [agent(9, 'codex', 8), agent(8, '@openai/codex', 8), shell(7)])).toEqual({
      agent: 'codex',
      pid: 8,
      nested: false,
      served: false,
    });
  });

  it('is, behind a server, the agent that started it; without one nobody knows', () => {
    const above = [shell(9), server(8, 'codex'), agent(7, 'codex', 6), agent(6, '@openai/codex', 6), shell(5)];
    expect(speakerOf('codex', above)).toEqual({ agent: 'codex', pid: 6, nested: false, served: true });
    expect(speakerOf('codex', [...above, agent(4, 'claude')]).nested).toBe(true);
    expect(speakerOf('codex', [shell(9), server(8, 'codex')])).toMatchObject({ pid: null, served: true });
  });

  it('is the agent that runs, not the one that the hook was written for', () => {
    expect(speakerOf('claude', [agent(9, 'devin')])).toMatchObject({ agent: 'devin', nested: false });
  });
});
