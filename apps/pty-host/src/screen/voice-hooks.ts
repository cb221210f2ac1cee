import { type ProgramVoice, STATUS_QUERY, VOICE_OSCS } from '@switchyard/agents';
import type { IParser } from '@xterm/headless';

export interface VoiceEvents {
  /** A directory of this machine. */
  cwd(path: string): void;
  reply(text: string): void;
}

/** Lets `voice` hear what programs say of themselves, and answers whether this terminal listens. */
export function hookVoice(parser: IParser, voice: ProgramVoice, now: () => number, events: VoiceEvents): void {
  for (const osc of VOICE_OSCS) {
    parser.registerOscHandler(osc, (data) => {
      const { query, said } = voice.hear(osc, data, now());
      if (query) events.reply(STATUS_QUERY);
      if (said?.kind === 'cwd' && said.local) events.cwd(said.path);
      return true;
    });
  }
  parser.registerEscHandler({ final: 'c' }, () => {
    voice.reset();
    return false;
  });
}
