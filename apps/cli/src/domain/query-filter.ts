/**
 * Questions that programs ask their terminal: device attributes, status, version, keyboard protocol, modes, size, colours,
 * capabilities. The yard answers them itself. If the terminal it is shown in saw them too, its answers would be typed
 * into the program as well.
 */
const QUESTIONS =
  /\x1b\[(?:[>=?]?\d*c|\??[56]n|>\d*q|\?u|\??\d+\$p|1[4-9]t|2[01]t)|\x1b\](?:1[0-9]|4;\d+);\?(?:\x07|\x1b\\)|\x1bP[+$]q[^\x1b\x07]*(?:\x1b\\|\x07)|\x1bZ/g;
/** The beginning of a sequence that may still become one. */
const UNFINISHED = /\x1b(?:\[[>=?]?[0-9;]*\$?|\](?:[0-9]+(?:;[0-9?;]*)?)?\x1b?|P(?:[+$](?:q[^\x1b\x07]*\x1b?)?)?)?$/;
/** No question is longer; a longer beginning is output like any other. */
const LONGEST = 256;

/** Takes the questions out of a stream of output that arrives in pieces. Bytes, not text: latin1 keeps each as it is. */
export class QueryFilter {
  #held = '';

  push(bytes: Buffer): Buffer {
    const text = this.#held + bytes.toString('latin1');
    const start = UNFINISHED.exec(text.slice(-LONGEST));
    const keep = start === null ? 0 : start[0].length;
    this.#held = keep === 0 ? '' : text.slice(-keep);
    const ready = keep === 0 ? text : text.slice(0, -keep);
    return Buffer.from(ready.replace(QUESTIONS, ''), 'latin1');
  }
}
