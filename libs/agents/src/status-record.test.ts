import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusRecords } from './status-record.js';

const AT = 1000;
function table(...reports: string[]): StatusRecords {
  const records = new StatusRecords();
  for (const data of reports) records.apply(data, AT);
  return records;
}
const ids = (records: StatusRecords) => records.all.map(({ id }) => id);
const feed = (records: StatusRecords, sequences: string) => {
  for (const [, data = ''] of sequences.matchAll(/\x1b\]7501;([^\x1b]*)\x1b\\/g)) records.apply(data, AT);
};

describe('the status records of a terminal', () => {
  it('hold one report under each id, replaced whole', () => {
    const records = table('state=working:id=build:app=make:progress=20', 'state=working:id=build:progress=30');
    expect(records.all).toEqual([
      { id: 'build', state: 'working', kind: null, progress: 30, app: null, title: null, msg: null, at: AT },
    ]);
    expect(table('state=idle:id=a/b', 'state=done').root).toMatchObject({ state: 'done' });
  });

  it('tell a question from a report, and change nothing for it', () => {
    const records = new StatusRecords();
    expect(records.apply('?', AT)).toBe(true);
    expect(records.apply('state=idle', AT)).toBe(false);
    expect(records.apply('nonsense', AT)).toBe(false);
    expect(records.size).toBe(1);
  });

  it('lose a record with all beneath it when it is cleared, and every one without an id', () => {
    const all = ['build', 'build/test', 'build/test/unit', 'builder', 'other/build'].map((id) => `state=idle:id=${id}`);
    expect(ids(table('state=idle', ...all, 'state=clear:id=build'))).toEqual(['', 'builder', 'other/build']);
    expect(ids(table(...all, 'state=clear:id=build/test'))).toEqual(['build', 'builder', 'other/build']);
    expect(ids(table(...all, 'state=clear'))).toEqual([]);
    expect(ids(table('state=idle', 'state=idle:id=a', 'state=clear:id=a//', 'state=clear:id='))).toEqual(['', 'a']);
  });

  it('give a record without an app that of its nearest ancestor', () => {
    const records = table('state=idle:app=sh', 'state=idle:id=a:app=make', 'state=idle:id=a/b/c', 'state=idle:id=x/y');
    const app = (id: string) => records.all.filter((record) => record.id === id).map((record) => records.appOf(record));
    expect([app('a/b/c'), app('x/y'), app('a'), app('')]).toEqual([['make'], ['sh'], ['make'], ['sh']]);
    records.apply('state=idle', AT);
    expect(app('x/y')).toEqual([null]);
  });

  it('are at most 256, and the least recently updated goes first', () => {
    const records = table(...Array.from({ length: 256 }, (_, i) => `state=working:id=r${i}`), 'state=working:id=r0');
    records.apply('state=idle:id=new', AT);
    expect(records.size).toBe(256);
    expect([ids(records)[0], ids(records).at(-1)]).toEqual(['r2', 'new']);
    expect(ids(records)).toContain('r0');
  });

  it('no longer work or wait when the program has ended; done, error and idle stay', () => {
    const states = ['working', 'blocked', 'done', 'error', 'idle'];
    const records = table(...states.map((state) => `state=${state}:id=${state}`));
    records.programEnded();
    expect(ids(records)).toEqual(['done', 'error', 'idle']);
    records.reset();
    expect(records.size).toBe(0);
  });

  it('count as changed only when something else is said', () => {
    const records = table('state=working:msg=aGk=');
    const { revision } = records;
    records.apply('state=working:msg=aGk=', AT + 1);
    records.apply('state=paused', AT);
    records.apply('state=clear:id=a', AT);
    records.apply('?', AT);
    expect(records.revision).toBe(revision);
    expect(records.root?.at).toBe(AT + 1);
    records.apply('state=working', AT);
    records.programEnded();
    expect(records.revision).toBe(revision + 2);
  });

  it('are brought to another terminal by their replay, in their order', () => {
    const id = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 }).map((segments) => segments.join('/'));
    const state = fc.constantFrom('idle', 'working', 'done', 'blocked', 'error', 'clear');
    const report = fc.tuple(id, state).map(([at, said]) => (at === '' ? `state=${said}` : `state=${said}:id=${at}`));
    fc.assert(
      fc.property(fc.array(report), (reports) => {
        const [records, other, saved] = [table(...reports), new StatusRecords(), new StatusRecords()];
        feed(other, records.replay());
        expect(other.all).toEqual(records.all);
        saved.load(JSON.parse(JSON.stringify(records.all)));
        expect(saved.all).toEqual(records.all);
      }),
    );
  });
});
