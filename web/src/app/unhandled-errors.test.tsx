import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import { visit } from '#test/screen.tsx';

const words = 'Something went wrong on this page. If it stops working, reload it.';

const rejectWith = (reason: unknown) =>
  window.dispatchEvent(Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason }));

const later = () => new Promise((resolve) => setTimeout(resolve, 50));

test('an unhandled error shows a message', async () => {
  visit('/login');

  rejectWith(new Error('Nobody knows'));

  expect(await screen.findByText(words)).toBeDefined();
});

test('an error that a later listener handles shows no message', async () => {
  visit('/login');
  window.addEventListener('unhandledrejection', (event) => event.preventDefault(), { once: true });

  rejectWith(new Error('An image error shown in its place'));
  await later();

  expect(screen.queryByText(words)).toBeNull();
});

test.each([
  ['a refused call', new ApiError(409, 'changed', 'Changed meanwhile')],
  ['an aborted call', new DOMException('Left', 'AbortError')],
])('%s shows no message about an error of the page', async (_, reason) => {
  visit('/login');

  rejectWith(reason);
  await later();

  expect(screen.queryByText(words)).toBeNull();
});
