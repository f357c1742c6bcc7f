import type { StackViewport } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { type ImageInMemory, shownGrey, stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { learnTables } from '#reading/viewer/images/gray/lookup-tables.ts';
import { lookOf, showAs } from '#reading/viewer/engine/stack/image-look.ts';
import { greysThroughTables, tableShown } from './voi-lut-gray.ts';
import { choosePreset, invert, reset, setWindow } from '#reading/viewer/engine/stack/view-commands.ts';

/** Returns a VOI LUT item for the values 0 to 15, with grays from 0 to 255. */
const item = (name: string, greyOf: (value: number) => number): DicomJson => ({
  [tag.LUTDescriptor]: { vr: 'US', Value: [16, 0, 8] },
  [tag.LUTExplanation]: { vr: 'LO', Value: [name] },
  [tag.LUTData]: { vr: 'US', Value: Array.from({ length: 16 }, (_, value) => greyOf(value)) },
});
const soft = item('SOFT', (value) => value * value);
const hard = item('HARD', (value) => (value < 8 ? 0 : 255));
const windowed = { [tag.WindowCenter]: { vr: 'DS', Value: [8] }, [tag.WindowWidth]: { vr: 'DS', Value: [16] } };

let lastNumber = 0;

/** Returns a stack whose images have these tables. `windowed` adds a window. */
const stackOf = async (headers: readonly DicomJson[], about: Partial<ImageInMemory> = {}) => {
  const images = headers.map((header) => {
    lastNumber += 1;
    const imageId = `tables:${lastNumber}/frames/1`;
    learnTables(imageId, header);
    return { imageId, center: 8, width: 16, ...about };
  });
  const viewport = await stackWithoutScreen(images);
  greysThroughTables(viewport);
  await viewport.setStack(images.map(({ imageId }) => imageId));
  return viewport;
};

const bringing = (...tables: DicomJson[]): DicomJson => ({ [tag.VOILUTSequence]: { vr: 'SQ', Value: tables } });
const greysOf = (viewport: StackViewport) =>
  [0, 7, 10, 15].map((value) => Math.round(255 * shownGrey(viewport, value)));

const throughSoft = [0, 49, 100, 225];
const throughHard = [0, 0, 255, 255];

test('an image with a VOI LUT and no window is shown through the VOI LUT', async () => {
  const viewport = await stackOf([bringing(soft, hard)]);

  expect([greysOf(viewport), tableShown(viewport)]).toEqual([throughSoft, 'SOFT']);
});

test('an image with window and VOI LUT is shown with the window, and with the VOI LUT when chosen', async () => {
  const viewport = await stackOf([{ ...bringing(hard), ...windowed }]);
  expect([greysOf(viewport), tableShown(viewport)]).toEqual([[0, 119, 170, 255], undefined]);

  choosePreset(viewport, { label: 'VOI LUT HARD', range: { lower: 0, upper: 15 }, table: 'HARD' });

  expect([greysOf(viewport), tableShown(viewport)]).toEqual([throughHard, 'HARD']);
});

test('setting a window replaces the VOI LUT, also if the window spans all values', async () => {
  const viewport = await stackOf([bringing(soft)]);

  setWindow(viewport, { lower: 0, upper: 15 });
  expect([greysOf(viewport), tableShown(viewport)]).toEqual([[0, 119, 170, 255], undefined]);

  reset(viewport);
  expect([greysOf(viewport), tableShown(viewport)]).toEqual([throughSoft, 'SOFT']);
});

test('a VOI LUT is inverted for inverted grays and for MONOCHROME1', async () => {
  const viewport = await stackOf([bringing(soft)]);
  const white = await stackOf([bringing(soft)], { photometricInterpretation: 'MONOCHROME1' });
  const negative = throughSoft.map((grey) => 255 - grey);
  expect(greysOf(white)).toEqual(negative);

  invert(viewport);
  expect(greysOf(viewport)).toEqual(negative);
  setWindow(viewport, { lower: 0, upper: 15 });
  expect(greysOf(viewport)).toEqual([255, 136, 85, 0]);
});

test('each image of a stack is shown through its own VOI LUT, or its window if it has none', async () => {
  const viewport = await stackOf([bringing(soft), bringing(hard), windowed]);

  await viewport.setImageIdIndex(1);
  expect(greysOf(viewport)).toEqual(throughHard);
  await viewport.setImageIdIndex(2);
  expect(greysOf(viewport)).toEqual([0, 119, 170, 255]);
  await viewport.setImageIdIndex(0);
  expect(greysOf(viewport)).toEqual(throughSoft);

  setWindow(viewport, { lower: 5, upper: 10 });
  await viewport.setImageIdIndex(1);
  expect(greysOf(viewport)).toEqual([0, 102, 255, 255]);
});

test('when the user chooses a VOI LUT, other images use their VOI LUT of the same name', async () => {
  const viewport = await stackOf([bringing(soft, hard), bringing(soft, hard), bringing(soft)]);
  choosePreset(viewport, { label: 'VOI LUT HARD', range: { lower: 0, upper: 15 }, table: 'HARD' });

  await viewport.setImageIdIndex(1);
  expect([greysOf(viewport), tableShown(viewport)]).toEqual([throughHard, 'HARD']);
  await viewport.setImageIdIndex(2);
  expect(tableShown(viewport)).toBeUndefined();
});

test('applying a saved display restores the grays of the file with their VOI LUT', async () => {
  const viewport = await stackOf([bringing(soft)]);
  const look = lookOf(viewport);
  expect(look?.window).toBeNull();
  setWindow(viewport, { lower: 5, upper: 10 });

  if (look) showAs(viewport, viewport.getCurrentImageId(), look);

  expect([greysOf(viewport), tableShown(viewport)]).toEqual([throughSoft, 'SOFT']);
});
