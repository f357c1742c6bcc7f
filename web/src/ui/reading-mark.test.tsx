import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { formatMoment } from './formats.ts';
import { ReadingMark } from './reading-mark.tsx';

/** A moment of today, so that it is shown by its time alone. */
const since = new Date(new Date().setHours(9, 12, 0, 0)).toISOString();
const reading = { username: 'rex', name: 'Rex Reviewer', since, isMe: false, expiresAt: since };

test('who writes a report is named, with the time in words and the day as tooltip', () => {
  show(<ReadingMark reading={reading} />);

  const mark = screen.getByTitle(`Being read by Rex Reviewer since ${formatMoment(since)}`);

  expect(mark.textContent).toBe('Being read by Rex Reviewer since 09:12');
});

test('one’s own lock is called one’s own', () => {
  show(<ReadingMark reading={{ ...reading, isMe: true }} />);

  expect(screen.getByTitle(/^Being read by you since/)).toBeDefined();
});
