import { describe, expect, it } from 'vitest';
import { eventLine } from './event-line.js';

const at = new Date(2026, 0, 2, 3, 4, 5, 6).getTime();

describe('eventLine', () => {
  it('has the time, the kind, where it was and what it says', () => {
    const place = { workspace_id: 'B0000000-0000', surface_id: null };
    const data = { title: 'api', custom_title: null };
    expect(eventLine({ event: 'workspace.renamed', at, ...place, data })).toBe(
      '03:04:05.006  workspace.renamed           B0000000  title=api custom_title=null',
    );
  });

  it('H3: cleans what programs have put into it', () => {
    const line = eventLine({ event: 'surface.title_changed', at, data: { title: '\x1b]0;x\x07a\nb\u202e' } });
    expect(line).toMatch(/title=a b$/);
  });

  it('says how many are missing, if that is known', () => {
    expect(eventLine({ event: 'gap', reason: 'expired', count: 3 })).toBe('-- 3 events are missing here (expired)');
    expect(eventLine({ event: 'gap', reason: 'replaced', count: null })).toContain('an unknown number of');
  });
});
