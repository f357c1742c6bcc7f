import { expect, test } from 'vitest';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { pairsOf, type ReadSeries } from './fusion-pairs.ts';

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

type SeriesOptions = { frame?: string; from?: number; slices?: number; gap?: boolean; corrected?: boolean };

/** Returns a series of axial slices, 4 mm apart and 400 mm wide, upward from a height. */
const seriesOf = (number: number, modality: string, about: SeriesOptions = {}): ReadSeries => {
  const { frame = '1.2.3', from = 0, slices = 20, gap = false, corrected = true } = about;
  const images = Array.from({ length: slices }, (_, index): SeriesImage => {
    const height = from + (gap && index > 5 ? index + 3 : index) * 4;
    return {
      imageId: `${modality}${number} ${index}`,
      frame: 1,
      numberOfFrames: 1,
      instanceNumber: index + 1,
      plane: { position: [-200, -200, height], along: [1, 0, 0], down: [0, 1, 0] },
      header: {
        '00200052': element(frame),
        '00280010': element(100),
        '00280011': element(100),
        '00280030': element(4, 4),
        '00280051': element(...(corrected ? ['DECY', 'ATTN'] : ['DECY'])),
      },
    };
  });
  const series = {
    id: `${number}`,
    seriesInstanceUID: `2.25.${number}`,
    seriesNumber: number,
    seriesDescription: `${modality} ${number}`,
    modality,
    bodyPartExamined: '',
    instanceCount: slices,
  };
  return { series, images };
};

const namesIn = (all: readonly ReadSeries[], namedSeries: readonly string[] = []) => {
  const pairing = pairsOf(all, namedSeries);
  return 'reason' in pairing
    ? pairing.reason
    : pairing.pairs.map(({ anatomy, uptake }) => `${uptake.series.seriesNumber} on ${anatomy.series.seriesNumber}`);
};

const ct = seriesOf(1, 'CT');
const pet = seriesOf(2, 'PT');

test('the first proposed pair has the attenuation-corrected PET and the CT that covers most of it', () => {
  const short = seriesOf(3, 'CT', { slices: 8 });
  const uncorrected = seriesOf(4, 'PT', { corrected: false });

  expect(namesIn([short, uncorrected, ct, pet])).toEqual(['2 on 1', '2 on 3', '4 on 1', '4 on 3']);
});

test('pairs with series named in the address come first', () => {
  const second = seriesOf(3, 'CT', { slices: 8 });
  const uncorrected = seriesOf(4, 'PT', { corrected: false });
  const all = [ct, pet, second, uncorrected];

  expect(namesIn(all, ['2.25.3'])[0]).toBe('2 on 3');
  expect(namesIn(all, ['2.25.4'])[0]).toBe('4 on 1');
  expect(namesIn(all, ['2.25.3', '2.25.4'])[0]).toBe('4 on 3');
});

test('a pair of PET and MR is accepted, and follows pairs of PET and CT', () => {
  expect(namesIn([seriesOf(3, 'MR'), ct, pet])).toEqual(['2 on 1', '2 on 3']);
});

test('a study without PET or without anatomy has no pair, and a message says why', () => {
  expect(namesIn([ct])).toBe('This study has no PET or scintigraphy to fuse.');
  expect(namesIn([pet])).toBe('This study has no CT or MR to fuse the PET with.');
});

test('series with different frames of reference are never fused', () => {
  expect(namesIn([ct, seriesOf(2, 'PT', { frame: '1.2.4' })])).toContain('no common frame of reference');
  expect(namesIn([seriesOf(1, 'CT', { frame: '' }), seriesOf(2, 'PT', { frame: '' })])).toEqual(
    expect.stringContaining('frame of reference'),
  );
});

test('series of different parts of the body are never fused', () => {
  expect(namesIn([ct, seriesOf(2, 'PT', { from: 500 })])).toContain('different parts of the body');
});

test('a series with a missing slice is named together with the reason', () => {
  expect(namesIn([ct, seriesOf(2, 'PT', { gap: true })])).toEqual(
    expect.stringMatching(/^Series 2 \(PT 2\) cannot be fused\. .*missing/),
  );
});
