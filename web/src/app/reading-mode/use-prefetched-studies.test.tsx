import { prefetchHeader } from '@radwork/contract/core/endpoint';
import { studies } from '@radwork/contract/imaging/studies';
import { reports } from '@radwork/contract/reading/reports';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useAuditedQuery } from '#core/http/audited-query.ts';
import { answer, serve, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { jane } from '#test/written-report.ts';
import { prefetchStudies } from './use-prefetched-studies.ts';

const newClient = () => new QueryClient({ defaultOptions: { queries: { staleTime: 15_000 } } });

const serving = () => {
  signIn('RADIOLOGIST');
  const calls = serve(
    answer(studies.get, () => studyDetails({ id: 's1' })),
    answer(reports.ofStudy, () => ({ report: null, patient: jane, canCreate: true, reasons: [], readingBy: null })),
  );
  return {
    marks: () => calls.map(({ url, headers }) => `${url.pathname} ${headers.get(prefetchHeader) ?? 'by the user'}`),
  };
};

const open = (client: QueryClient) =>
  renderHook(() => useQuery(useAuditedQuery(studies.get, { params: { id: 's1' } })), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });

test('a study loaded in advance is shown at once when it opens, and is then fetched again as the user’s own call', async () => {
  const { marks } = serving();
  const client = newClient();
  await prefetchStudies(client, ['s1'], async () => undefined);
  await waitFor(() => expect(client.isFetching()).toBe(0));

  const { result } = open(client);

  expect(result.current.data?.id).toBe('s1');
  await waitFor(() =>
    expect(marks()).toEqual(['/api/studies/s1 1', '/api/studies/s1/report 1', '/api/studies/s1 by the user']),
  );
});

test('a study that the user opens while it is loaded in advance is fetched again as the user’s own call', async () => {
  const { marks } = serving();
  const client = newClient();
  const loading = prefetchStudies(client, ['s1'], async () => undefined);

  open(client);
  await loading;

  await waitFor(() => expect(marks()).toContain('/api/studies/s1 by the user'));
});

test('a study is not loaded in advance again within a minute', async () => {
  const { marks } = serving();
  const client = newClient();
  await prefetchStudies(client, ['s1'], async () => undefined);
  await waitFor(() => expect(client.isFetching()).toBe(0));

  await prefetchStudies(client, ['s1'], async () => undefined);

  expect(marks()).toEqual(['/api/studies/s1 1', '/api/studies/s1/report 1']);
});
