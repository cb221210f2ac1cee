import { describe, expect, it } from 'vitest';
import { ProgramVoice, type VoiceOsc } from './program-voice.js';

const AT = 1000;
function voice(...heard: [VoiceOsc, string][]): ProgramVoice {
  const said = new ProgramVoice('demo');
  for (const [osc, data] of heard) said.hear(osc, data, AT);
  return said;
}
const kinds = (said: ProgramVoice) => said.evidence.map(({ kind }) => kind);

describe('what the programs of a terminal say', () => {
  it('is kept once of each kind, the newest', () => {
    const said = voice([9, '4;1;5'], [9, 'done'], [9, '4;1;6'], [21337, 'status=idle'], [9999, '{"state":"working"}']);
    expect(kinds(said)).toEqual(['notification', 'progress', 'session', 'session']);
    expect(said.progress).toEqual({ state: 1, value: 6 });
    expect(voice([9, '4;3'], [9, '4;0']).progress).toBeNull();
  });

  it('says when OSC 7501 is asked for', () => {
    expect(new ProgramVoice('demo').hear(7501, '?', AT)).toEqual({ query: true });
    expect(new ProgramVoice('demo').hear(7501, 'state=idle', AT)).toEqual({});
  });

  it('loses what cannot be true any more when a prompt begins or the program ends', () => {
    const heard: [VoiceOsc, string][] = [
      [7501, 'state=working'],
      [7501, 'state=done:id=a'],
      [9, '4;3'],
      [9, 'hello'],
      [21337, 'status=working'],
    ];
    const prompted = voice(...heard, [133, 'A']);
    expect(prompted.records.all).toMatchObject([{ id: 'a', state: 'done' }]);
    expect(kinds(prompted)).toEqual(['notification', 'prompt']);
    const going = voice(...heard, [133, 'C']);
    expect(going.records.size).toBe(2);
    going.reset();
    expect([going.records.size, going.evidence]).toEqual([0, []]);
  });

  it('puts the parts of a notification together, and takes no question for one', () => {
    const said = voice([99, 'i=1:d=0:p=title;Needs'], [99, 'i=1:d=0:p=title; you'], [99, 'i=opentui:p=?;']);
    expect(said.evidence).toEqual([]);
    said.hear(99, `i=1:e=1:p=body;${Buffer.from('Allow?').toString('base64')}`, AT);
    expect(said.evidence).toEqual([{ kind: 'notification', id: '1', title: 'Needs you', body: 'Allow?', at: AT }]);
    expect(voice([99, ';Hello']).evidence).toMatchObject([{ id: null, title: 'Hello' }]);
    for (let i = 0; i < 1000; i++) said.hear(99, `i=${i}:d=0;${'x'.repeat(5000)}`, AT);
    expect(said.hear(99, 'i=999;y', AT).said).toMatchObject({ title: 'x'.repeat(2048) });
  });

  it('has a new revision for every event, and for a state only when it is another', () => {
    const said = voice([9, '4;1;5'], [9, 'ping']);
    const { revision } = said;
    said.hear(9, '4;1;5', AT + 1);
    expect(said.revision).toBe(revision);
    said.hear(9, 'ping', AT + 1);
    said.hear(9, '4;1;6', AT + 1);
    expect(said.revision).toBe(revision + 2);
  });

  it('is told to another terminal, and taken back there', () => {
    const said = voice([7501, 'state=done:app=make'], [9, '4;1;50'], [133, 'D;0']);
    expect(said.replay()).toBe('\x1b]7501;state=done:app=make\x1b\\\x1b]9;4;1;50\x1b\\');
    expect(said.silence()).toBe('\x1b]7501;state=clear\x1b\\\x1b]9;4;0\x1b\\');
    expect(voice([9, '4;3']).replay()).toBe('\x1b]9;4;3\x1b\\');
    const gone = voice([7501, 'state=working'], [133, 'A']);
    expect([gone.replay(), gone.silence()]).toEqual(['', '\x1b]7501;state=clear\x1b\\']);
    expect([voice([7, 'file:///']).replay(), voice([7501, '?']).silence()]).toEqual(['', '']);
  });

  it('comes back from what was saved', () => {
    const said = voice([7501, 'state=blocked:kind=question'], [9, '4;2;50'], [7, 'file://demo/tmp'], [133, 'D;1']);
    const other = new ProgramVoice('demo');
    other.load(JSON.parse(JSON.stringify(said.save())));
    expect(other.save()).toEqual(said.save());
  });
});
