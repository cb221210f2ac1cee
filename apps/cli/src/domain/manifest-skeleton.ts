/** What an agent may be called in a manifest, and so in the name of its file. */
const AGENT_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;

export const isAgentId = (name: string): boolean => AGENT_ID.test(name);

/**
 * A manifest of version 2 to begin with (docs/agents.md): it finds the agent by the name of its program, leaves what any
 * agent's screen says to the generic rules, and has one rule of each kind whose words are to be replaced.
 */
export function manifestSkeleton(agent: string): Record<string, unknown> {
  return {
    version: 2,
    agent,
    display_name: agent,
    verified: [],
    note: 'Replace the words in capitals by words of its screen. `sy agent-detection explain` says what each rule looks at.',
    recognize: {
      process_names: [agent],
      screen: [{ region: 'first_filled_lines', lines: 5, contains: ['WORDS OF ITS BANNER'] }],
    },
    rules: [
      {
        id: 'asks-permission',
        says: 'blocked',
        kind: 'permission',
        priority: 120,
        shape: 'dialog',
        region: 'dialog',
        contains: ['WORDS OF ITS QUESTION'],
      },
      { id: 'works', says: 'working', priority: 110, region: 'status', contains: ['WORDS BESIDE ITS SPINNER'] },
      {
        id: 'rests',
        says: 'idle',
        priority: 100,
        shape: 'composer',
        region: 'footer',
        contains: ['WORDS BELOW ITS PROMPT'],
        not: [{ shape: 'work' }],
      },
    ],
  };
}
