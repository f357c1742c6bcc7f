import { studies } from '@radwork/contract/imaging/studies';
import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse, serve, signIn } from '#test/screen.tsx';
import { prefetchViewerData } from './prefetch-viewer.ts';

/** Returns the paths requested for an address before the page is shown. */
const requestedPaths = async (pathname: string) => {
  const calls = serve(
    refuse(studies.get, 404, 'There is no such study'),
    refuse(studies.getByUid, 404, 'There is no such study'),
    refuse(studies.priors, 404, 'There is no such study'),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  prefetchViewerData(client, pathname);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  return calls.map(({ url }) => url.pathname);
};

const id = '7d0e5a44-6f0f-4b52-9a43-3f8b1f1f0a11';

test('a viewer address requests its study at once, by its ID or UID', async () => {
  signIn();

  expect(await requestedPaths(`/viewer/${id}`)).toEqual([
    `/api/studies/${id}`,
    '/api/hanging-rules',
    `/api/studies/${id}/priors`,
  ]);
  expect(await requestedPaths('/viewer/2.25.7')).toEqual(['/api/studies/uid/2.25.7', '/api/hanging-rules']);
  expect(await requestedPaths('/mpr/2.25.7/2.25.8')).toEqual(['/api/studies/uid/2.25.7']);
});

test('an address without a study, outside the viewer, or without a session requests nothing', async () => {
  expect(await requestedPaths('/viewer/2.25.7')).toEqual([]);
  signIn();

  expect(await requestedPaths('/viewer')).toEqual([]);
  expect(await requestedPaths(`/studies/${id}`)).toEqual([]);
});
