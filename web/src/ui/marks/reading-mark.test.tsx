import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { formatMoment } from '#ui/formats/formats.ts';
import { ReadingMark } from './reading-mark.tsx';

/** A time today, because the mark then shows no date. */
const since = new Date(new Date().setHours(9, 12, 0, 0)).toISOString();
const reading = { username: 'rex', name: 'Rex Reviewer', since, isMe: false, expiresAt: since };

test('the reading mark names the reader and the time, with the date as tooltip', () => {
  show(<ReadingMark reading={reading} />);

  const mark = screen.getByTitle(`Being read by Rex Reviewer since ${formatMoment(since)}`);

  expect(within(mark).getByText('Being read by Rex Reviewer since 09:12')).toBeDefined();
  expect(within(mark).getByText('Rex Reviewer')).toBeDefined();
  expect(within(mark).getByText('since 09:12')).toBeDefined();
});

test("the reading mark says that a lock is the user's own", () => {
  show(<ReadingMark reading={{ ...reading, isMe: true }} />);

  expect(screen.getByTitle(`Being read by you since ${formatMoment(since)}`)).toBeDefined();
  expect(screen.getByText('You')).toBeDefined();
});
