import { readHeader } from '@radwork/dicom/header';
import { patients } from '@radwork/phantom/patients';
import { ctVolume, petCt } from '@radwork/phantom/studies';
import { petTruth } from '@radwork/phantom/known-values';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { answerBytes, serve, signIn } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { suvOf } from '#reading/viewer/images/values/suv.ts';
import { type DicomJson, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { petScaleOf, petValueText, refusalOfSuv } from './pet-scale.ts';
import { usePairing } from './use-pairing.ts';

const about = { patient: patients[0], studyDate: '20261112', accessionNumber: 'PAIRS', slices: 4, size: 16 };

const headersOf = (files: Iterable<{ bytes: Buffer }>): DicomJson[] =>
  Array.from(files, ({ bytes }) => readHeader(bytes).dataset as DicomJson);

const weight = '00101030';

/** Finds the pairs of a study as the viewer does, from the headers that the server sends. */
const pairingOf = async (headers: readonly DicomJson[]) => {
  const bySeries = Map.groupBy(headers, (header) => textOf(header, tag.SeriesInstanceUID));
  const [any] = studyDetails().series;
  if (!any) throw new Error('The study has no series');
  const series = Array.from(bySeries, ([seriesInstanceUID, [first = {}]], at) => ({
    ...any,
    id: `${at}`,
    seriesInstanceUID,
    modality: textOf(first, tag.Modality),
  }));
  const study = studyDetails({ series });
  signIn();
  serve(
    answerBytes('/api/wado-rs/studies/:study/series/:series/metadata', ({ url }) =>
      Response.json(bySeries.get(url.pathname.split('/').at(-2) ?? '')),
    ),
  );
  const { result } = renderHook(() => usePairing(study, ''), {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  });
  await eventually(() => expect(result.current.state).toBe('read'));
  if (result.current.state !== 'read') throw new Error('The series are read');
  return result.current.pairing;
};

const scaleOf = async (headers: readonly DicomJson[]) => {
  const pairing = await pairingOf(headers);
  const [pair] = 'pairs' in pairing ? pairing.pairs : [];
  if (!pair) throw new Error('The PET lies over the CT');
  return petScaleOf(pair.uptake.images);
};

test('a CT without PET is not fused, and a message says why', async () => {
  expect(await pairingOf(headersOf(ctVolume({ ...about, seed: 'pairs without PET' })))).toEqual({
    reason: 'This study has no PET or scintigraphy to fuse.',
  });
});

test('a PET has SUV if the weight of the patient is present', async () => {
  const headers = headersOf(petCt({ ...about, seed: 'pairs' }));
  const scale = await scaleOf(headers);

  expect(refusalOfSuv(scale)).toBe('');
  expect(petValueText(8, scale)).toBe('SUV 8.00');
  const suv = suvOf(headers.filter((header) => textOf(header, tag.Modality) === 'PT'));
  expect('factor' in suv ? suv.factor * petTruth.activityOfSuv1 : 0).toBeCloseTo(1, 2);
});

test.each<[string, (header: DicomJson) => DicomJson]>([
  ['missing', (header) => Object.fromEntries(Object.entries(header).filter(([attribute]) => attribute !== weight))],
  ['empty', (header) => ({ ...header, [weight]: { vr: 'DS' } })],
])(
  'without SUV, the reason names the weight and values keep the unit of the file if the weight is %s',
  async (_, change) => {
    const scale = await scaleOf(headersOf(petCt({ ...about, seed: 'pairs without weight' })).map(change));

    expect(refusalOfSuv(scale)).toBe('No SUV: PatientWeight (0010,1030) is missing. Values are in Bq/ml.');
    expect(petValueText(petTruth.activityOfSuv1, scale)).toBe(`${Math.round(petTruth.activityOfSuv1)} Bq/ml`);
  },
);
