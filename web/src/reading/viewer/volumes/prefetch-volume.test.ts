import { QueryClient } from '@tanstack/react-query';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { expect, test } from 'vitest';
import { serve } from '#test/screen.tsx';
import { prefetchVolume } from './prefetch-volume.ts';

const series = [
  { id: 'a', seriesInstanceUID: '2.25.1', modality: 'CT' },
  { id: 'b', seriesInstanceUID: '2.25.2', modality: 'PT' },
  { id: 'c', seriesInstanceUID: '2.25.3', modality: 'SR' },
];
const study = { studyInstanceUID: '2.25.9', series } as unknown as StudyDetails;

/** Last part of the key of each query that is fetched in advance. */
const fetchedFor = (mode: 'mpr' | 'fusion', named?: string) => {
  serve();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  void prefetchVolume(client, mode, study, named).catch(() => undefined);
  return client
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey.at(-1));
};

test('fetches the headers of the series in the address, or otherwise of the first series that can be cut', () => {
  expect(fetchedFor('mpr', 'b')).toEqual(['2.25.2']);
  expect(fetchedFor('mpr', '2.25.1')).toEqual(['2.25.1']);
  expect(fetchedFor('mpr')[0]).toEqual(['2.25.1', '2.25.2', '2.25.3']);
});

test('fetches the headers of all series that can be fused', () => {
  expect(fetchedFor('fusion')).toEqual(['2.25.1', '2.25.2']);
});
