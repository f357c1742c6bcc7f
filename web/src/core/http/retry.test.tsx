import { studies } from '@radwork/contract/imaging/studies';
import { QueryClient, useQuery } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { ApiError, query } from './api.ts';
import { shouldRetry, retryDelay } from './retry.ts';

const nothing = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 10, isTotalExact: true };

const client = () => new QueryClient({ defaultOptions: { queries: { retry: shouldRetry, retryDelay: retryDelay } } });

function List({ queryClient }: { queryClient: QueryClient }) {
  const { data, error } = useQuery(query(studies.list, { query: {} }), queryClient);
  return <p>{data ? 'The list' : (error?.message ?? 'Waiting')}</p>;
}

const tooMany = 'Too many calls. Try again in a second.';

const refuseOnce = (seconds: string) => {
  const refusal = refuse(studies.list, 429, tooMany, { headers: { 'retry-after': seconds } });
  const reply = answer(studies.list, () => nothing);
  let tries = 0;
  return serve({ ...reply, reply: (sent) => (++tries === 1 ? refusal : reply).reply(sent) });
};

test('a query refused because of too many calls is sent again, and a message says that the page waits', async () => {
  const calls = refuseOnce('1');

  show(<List queryClient={client()} />);

  expect(await screen.findByText(/Too many requests\./)).toBeDefined();
  expect(screen.getByText('Waiting')).toBeDefined();
  expect(await screen.findByText('The list')).toBeDefined();
  expect(calls).toHaveLength(2);
});

test('a query with a long Retry-After fails at once and shows when to retry', async () => {
  const calls = refuseOnce('900');

  show(<List queryClient={client()} />);

  expect(await screen.findByText(tooMany)).toBeDefined();
  expect(calls).toHaveLength(1);
});

const refused = (status: number, retryAfterSeconds?: number) => new ApiError(status, 'x', 'x', { retryAfterSeconds });

test('a query is retried five times after "too many calls", twice after a server error and never after a refusal', () => {
  const tries = (error: Error) => [0, 1, 2, 3, 4, 5, 6].filter((count) => shouldRetry(count, error)).length;

  expect([403, 404, 422].map((status) => tries(refused(status)))).toEqual([0, 0, 0]);
  expect([0, 500, 503].map((status) => tries(refused(status)))).toEqual([2, 2, 2]);
  expect([tries(refused(429, 3)), tries(refused(429)), tries(refused(429, 60))]).toEqual([5, 5, 0]);
});

test('retries wait as long as the server requires, and start at different moments', () => {
  const pauses = Array.from({ length: 50 }, () => retryDelay(0, refused(429, 7)));

  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(7000);
  expect(Math.max(...pauses)).toBeLessThan(8000);
  expect(new Set(pauses).size).toBeGreaterThan(40);
  expect([0, 1].map((count) => retryDelay(count, refused(503)))).toEqual([1000, 2000]);
});
