import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from './cursor.js';
import { passes } from './filter.js';
import { busEvents } from './index.js';
import { JOURNAL_KINDS, journalSchema } from './journal.js';
import { EVENT_KINDS, expandKinds } from './kinds.js';
import { LIVE_KINDS } from './live.js';

describe('a cursor', () => {
  it('comes back as what it was made of', () => {
    for (const seq of [0, 1, 99_999_999]) {
      expect(decodeCursor(encodeCursor({ journal: 'abc123', seq }))).toEqual({ journal: 'abc123', seq });
    }
  });

  it.each(['', 'yesterday', '12', '=', 'YQ', encodeCursor({ journal: 'a', seq: -1 }), 'x'.repeat(1000)])(
    'is not %j',
    (text) => {
      expect(decodeCursor(text)).toBeUndefined();
    },
  );
});

describe('kinds', () => {
  it('are of one list each, and say what they mean', () => {
    expect(new Set(EVENT_KINDS).size).toBe(JOURNAL_KINDS.length + LIVE_KINDS.length);
    for (const kind of JOURNAL_KINDS) {
      expect(kind).toMatch(/^[a-z]+\.[a-z_]+$/);
      expect([kind, (journalSchema(kind) as { description?: string }).description]).toEqual([
        kind,
        expect.stringMatching(/\.$/),
      ]);
    }
    expect(Object.keys(busEvents).filter((name) => (LIVE_KINDS as readonly string[]).includes(name))).toEqual([]);
  });

  it('are meant by their name, by their namespace, or all together', () => {
    expect(expandKinds(['pane.closed', 'pane.*'])).toEqual({
      kinds: JOURNAL_KINDS.filter((kind) => kind.startsWith('pane.')),
    });
    expect(expandKinds(['*'])).toEqual({ kinds: JOURNAL_KINDS });
    expect(expandKinds(['surface.*'])).toMatchObject({ kinds: expect.not.arrayContaining(['surface.output']) });
    expect(expandKinds(['output_matched', 'pane.closed'])).toEqual({ kinds: ['output_matched', 'pane.closed'] });
  });

  it.each([['pane.painted'], ['painting.*'], ['**'], ['']])('are not meant by %j', (word) => {
    expect(expandKinds(['pane.closed', word])).toEqual({ unknown: word });
  });
});

describe('a filter', () => {
  const event = { kind: 'pane.closed', workspace_id: 'W', surface_id: 'S' };

  it('takes what is of a kind and in one of the places', () => {
    expect(passes({}, event)).toBe(true);
    expect(passes({ kinds: new Set(['pane.created']) }, event)).toBe(false);
    expect(passes({ surfaces: new Set(['X']), workspaces: new Set(['W']) }, event)).toBe(true);
    expect(passes({ surfaces: new Set(['X']) }, event)).toBe(false);
    expect(passes({ surfaces: new Set(['S']) }, event)).toBe(true);
  });

  it('that names places takes nothing that is in none', () => {
    expect(passes({ workspaces: new Set(['W']) }, { ...event, workspace_id: null, surface_id: null })).toBe(false);
  });
});
