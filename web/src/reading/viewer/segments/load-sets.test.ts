import { QueryClient } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { segmentSets } from './load-sets.ts';

const study = studyDetails();
const [anySeries] = study.series;
if (!anySeries) throw new Error('The study has no series');
const series = { ...anySeries, modality: 'RTSTRUCT' };

const addressOf = (at: number) => `/api/wado-rs/studies/1.2/series/1.3/instances/1.4/bulkdata/${at}`;
const contour = (at: number) => ({
  '30060042': { vr: 'CS', Value: ['CLOSED_PLANAR'] },
  '30060050': { vr: 'DS', BulkDataURI: addressOf(at) },
});
const structures = (contours: number) => ({
  '00080018': { vr: 'UI', Value: ['1.4'] },
  '30060020': { vr: 'SQ', Value: [{ '30060022': { vr: 'IS', Value: [1] } }] },
  '30060039': {
    vr: 'SQ',
    Value: [
      {
        '30060084': { vr: 'IS', Value: [1] },
        '30060040': { vr: 'SQ', Value: Array.from({ length: contours }, (_, at) => contour(at)) },
      },
    ],
  },
});

const load = async (contours: readonly Response[]) => {
  signIn();
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', () =>
      Response.json([structures(contours.length)]),
    ),
    ...contours.map((reply, at) => answerBytes(addressOf(at), () => reply)),
  );
  const [set] = await new QueryClient().fetchQuery(segmentSets(study, series));
  return { lack: set?.regions[0]?.lack, contours: set?.outlines?.get(1)?.contours };
};

test('contours stored outside the header are read', async () => {
  const { lack, contours } = await load([new Response('1\\2\\3\\4.5\\-5\\ 6e1 \\7\\8\\9 ')]);

  expect(lack).toBe('');
  expect([...(contours?.[0]?.points ?? [])]).toEqual([1, 2, 3, 4.5, -5, 60, 7, 8, 9]);
});

test('a contour over the limit is reported and not fetched, and the other contours are read', async () => {
  const huge = new Response('1\\2\\3', { headers: { 'content-length': String(400 * 1024 * 1024) } });
  const read = vi.spyOn(huge, 'blob');
  const { lack, contours } = await load([huge, new Response('1\\2\\3')]);

  expect(read).not.toHaveBeenCalled();
  expect(lack).toBe('1 contour not drawn: too long.');
  expect(contours).toHaveLength(1);
});

test('contour points over the drawing limit are not parsed', async () => {
  const { lack, contours } = await load([new Response('0\\'.repeat(6_000_001)), new Response('1\\2\\3')]);

  expect(lack).toBe('2 contours not drawn: too long.');
  expect(contours).toEqual([]);
});
