/**
 * Glyphs that programs turn into each other to show that they live: braille dots, stars, turning circles and quarters.
 * Which of them is shown says nothing; whether one is shown does.
 */
const BRAILLE = /[\u2800-\u28ff]+/g;
const STARS = /[·•∙✢-✽*∗]/g;
const CIRCLES = /[◐-◓◜-◟◴-◷]/g;
const QUARTERS = /[▖-▟]/g;
const COUNT = /\d+/g;
const DOTS = /\.+/g;

/** A line without what a clock, a counter or a spinner changes in it. */
function calm(line: string): string {
  return line
    .replace(COUNT, '0')
    .replace(BRAILLE, '⠿')
    .replace(STARS, '✻')
    .replace(CIRCLES, '◐')
    .replace(QUARTERS, '▖')
    .replace(DOTS, '.');
}

/** Whether two texts differ at most in how far a clock, a counter or a spinner has turned. */
export function isAnimated(before: string, after: string): boolean {
  return before === after || calm(before) === calm(after);
}
