import { expect, test } from 'vitest';
import { formatRemaining } from './remaining-time.ts';

test('the remaining time is rounded so that it does not change constantly', () => {
  expect(formatRemaining(0.4)).toBe('a few seconds left');
  expect(formatRemaining(18)).toBe('20 s left');
  expect(formatRemaining(137)).toBe('2 min 10 s left');
  expect(formatRemaining(3900)).toBe('1 h 5 min left');
});
