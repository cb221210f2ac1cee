import { expect, it } from 'vitest';
import { CallNumbers } from './call-numbers.js';
import { checkToken } from './subjects.js';

it('numbers are tokens of a subject, differ, and do not follow from each other', () => {
  const [one, other] = [new CallNumbers(), new CallNumbers()];
  const numbers = Array.from({ length: 2000 }, () => [one.next(), other.next()]).flat();
  for (const number of numbers) checkToken('number', number);
  expect(new Set(numbers).size).toBe(4000);
  const secrets = numbers.map((number) => number.slice(number.indexOf('-') + 1));
  expect(new Set(secrets).size).toBe(4000);
  expect(new Set(secrets.map(({ length }) => length))).toEqual(new Set([12]));
});
