import { displayText } from '@switchyard/agents';
import type { Bus } from '@switchyard/bus';
import { fail } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Desk } from '../desk.js';
import { said } from '../domain/agent-turns.js';
import { cleanTitle, type Notice } from '../domain/notice.js';
import { RateLimiter, SURFACE_SIGNALS } from '../domain/rate-limit.js';
import type { Place, Signal } from '../domain/words.js';
import { placeOfSurface } from './places.js';

/** A paragraph; a program that has more to say has a screen. */
const BODY_CHARS = 1000;
/** Of a clipboard text: an event is held by every reader of the journal. */
const CLIPBOARD_BYTES = 8 * 1024;
const CLIPBOARD_JSON_CHARS = 12 * 1024;

export interface SignalParts {
  readonly bus: Pick<Bus, 'call'>;
  readonly desk: Desk;
  readonly clipboard: 'keep' | 'size' | 'off';
  readonly log: Log;
  /** An agent has something to tell. */
  readonly onAgent: () => void;
}

/**
 * Takes in what terminals hand over: notifications (OSC 9, 99, 777), bells and clipboard writes (OSC 52). Each is named by
 * its surface and offset and is taken once, however often a restarted pty-host hands it over.
 */
export class TerminalSignals {
  readonly #parts: SignalParts;
  readonly #limiter = new RateLimiter(SURFACE_SIGNALS);

  constructor(parts: SignalParts) {
    this.#parts = parts;
  }

  /**
   * @param from the machine that says so
   * @returns offset up to which everything of the surface has been taken
   * @throws `forbidden` where the surface is on another machine
   */
  async hear(surfaceId: string, signals: readonly Signal[], from: string): Promise<number> {
    const { bus, desk } = this.#parts;
    const known = desk.sources.heardTo(surfaceId);
    if (!signals.some(({ offset }) => offset > known)) return known;
    const place = await placeOfSurface(bus, surfaceId);
    if (place !== undefined && place.host !== from) fail('forbidden', 'The surface is on another machine', { from });
    return desk.change(() => {
      const before = desk.sources.heardTo(surfaceId);
      const fresh = signals.filter(({ offset }) => offset > before);
      for (const signal of fresh) this.#take(surfaceId, signal, place);
      const upto = fresh.at(-1)?.offset ?? before;
      desk.sources.setHeard(surfaceId, upto, desk.now());
      return upto;
    });
  }

  #take(surfaceId: string, signal: Signal, place: Place | undefined): void {
    const { desk, log } = this.#parts;
    if (!this.#limiter.take(surfaceId, desk.now())) {
      log.debug({ surface_id: surfaceId, kind: signal.kind }, 'a terminal asks for too much: left out');
      return;
    }
    if (signal.kind === 'clipboard') this.#tellClipboard(surfaceId, signal, place);
    else if (place?.has_agent_state) this.#tellAgent(surfaceId, signal);
    else if (place !== undefined) {
      const notice = signal.kind === 'bell' ? bellNotice(place) : noticeOf(signal, place);
      desk.post({ place, reason: signal.kind === 'bell' ? 'bell' : 'terminal', agent: null, notice });
    }
  }

  /** Where the state of an agent is known, its own words only add to it: one cause, one notification. */
  #tellAgent(surfaceId: string, { kind, title = '', body = '' }: Signal): void {
    if (kind === 'bell') return;
    const { desk, onAgent } = this.#parts;
    const text = displayText([title, body].filter((part) => part !== '').join(': '), BODY_CHARS);
    desk.sources.setTurns(surfaceId, said(desk.sources.turnsOf(surfaceId), text, desk.now()));
    onAgent();
  }

  #tellClipboard(surfaceId: string, { offset, bytes = 0, text = null }: Signal, place: Place | undefined): void {
    const { desk, clipboard } = this.#parts;
    if (clipboard === 'off') return;
    const where = { workspace_id: place?.workspace_id ?? null, surface_id: surfaceId };
    const isKept = clipboard === 'keep' && text !== null && bytes <= CLIPBOARD_BYTES && isShort(text);
    const data = { bytes, text: isKept ? text : null };
    desk.untold.add(`clipboard ${surfaceId} ${offset}`, 'notification.clipboard', where, data);
  }
}

/** Controls take six characters each in JSON. */
const isShort = (text: string) => JSON.stringify(text).length <= CLIPBOARD_JSON_CHARS;

function noticeOf({ title = '', body = '' }: Signal, place: Place): Notice {
  // One that a person has named signs with that name.
  const otherwise = place.custom_title === null ? cleanTitle(place.surface_title) : '';
  return {
    title: cleanTitle(title) || otherwise || 'Notification',
    subtitle: '',
    body: displayText(body, BODY_CHARS),
  };
}

const bellNotice = (place: Place): Notice => ({ title: 'Bell', subtitle: '', body: cleanTitle(place.surface_title) });
