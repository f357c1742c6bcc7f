import { Enums, type StackViewport } from '@cornerstonejs/core';
import type { ImageLook } from '@radwork/contract/reading/key-images';
import { expect, test } from 'vitest';
import { type ImageInMemory, shownGrey, stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { lookOf, showAs } from '#reading/viewer/engine/stack/image-look.ts';
import { resetGray } from './reset-gray.ts';
import { invert, reset, setWindow } from '#reading/viewer/engine/stack/view-commands.ts';

const interpretations = ['MONOCHROME1', 'MONOCHROME2'] as const;

let lastNumber = 0;

/** Returns a stack of one radiograph with a window from 0 to 1000. */
const radiograph = (about: Partial<ImageInMemory> = {}, draws?: 'processor') => {
  lastNumber += 1;
  return stackWithoutScreen([{ imageId: `greys:${lastNumber}`, center: 500.5, width: 1001, ...about }], draws);
};

const greysOf = (viewport: StackViewport) => [0, 250, 1000].map((value) => shownGrey(viewport, value));
const isInverted = (viewport: StackViewport) => lookOf(viewport)?.isInverted;

const plain: ImageLook = {
  window: { lower: 0, upper: 1000 },
  isInverted: false,
  rotation: 0,
  isMirroredAcross: false,
  isMirroredDown: false,
  zoom: 1,
  pan: [0, 0],
};

const asRecorded = { MONOCHROME1: [1, 0.75, 0], MONOCHROME2: [0, 0.25, 1] };
const negative = { MONOCHROME1: asRecorded.MONOCHROME2, MONOCHROME2: asRecorded.MONOCHROME1 };

test.each(interpretations)('"Reset view" restores the original grays of %s', async (photometricInterpretation) => {
  const viewport = await radiograph({ photometricInterpretation });
  expect(greysOf(viewport)).toEqual(asRecorded[photometricInterpretation]);

  reset(viewport);
  expect(greysOf(viewport)).toEqual(asRecorded[photometricInterpretation]);
  expect(isInverted(viewport)).toBe(false);

  invert(viewport);
  expect(greysOf(viewport)).toEqual(negative[photometricInterpretation]);
  expect(isInverted(viewport)).toBe(true);

  setWindow(viewport, { lower: 200, upper: 700 });
  reset(viewport);
  expect(greysOf(viewport)).toEqual(asRecorded[photometricInterpretation]);
  expect(isInverted(viewport)).toBe(false);
});

test.each(interpretations)(
  'applying a saved display of %s restores its window and inversion',
  async (interpretation) => {
    const viewport = await radiograph({ photometricInterpretation: interpretation });
    const shownId = viewport.getCurrentImageId();

    showAs(viewport, shownId, { ...plain, window: { lower: 0, upper: 500 } });
    const narrow = { MONOCHROME1: [1, 0.5, 0], MONOCHROME2: [0, 0.5, 1] };
    expect(greysOf(viewport)).toEqual(narrow[interpretation]);
    expect(isInverted(viewport)).toBe(false);

    showAs(viewport, shownId, { ...plain, isInverted: true });
    expect(greysOf(viewport)).toEqual(negative[interpretation]);
    expect(isInverted(viewport)).toBe(true);

    showAs(viewport, shownId, plain);
    expect(greysOf(viewport)).toEqual(asRecorded[interpretation]);
    expect(isInverted(viewport)).toBe(false);
  },
);

test.each(interpretations)('resetting the grays keeps the VOI LUT function of %s', async (interpretation) => {
  const voiLutFunction = Enums.VOILUTFunctionType.SAMPLED_SIGMOID;
  const viewport = await radiograph({ photometricInterpretation: interpretation, voiLutFunction });
  const first = greysOf(viewport);
  expect(first[1]).not.toBeCloseTo(asRecorded[interpretation][1] ?? 0, 2);

  viewport.setProperties({ VOILUTFunction: Enums.VOILUTFunctionType.LINEAR });
  resetGray(viewport);

  greysOf(viewport).forEach((grey, at) => expect(grey).toBeCloseTo(first[at] ?? Number.NaN, 3));
});

test('after a reset, the window counts as unchanged, so the next image uses the window of its own file', async () => {
  const viewport = await radiograph({ photometricInterpretation: 'MONOCHROME1' });
  setWindow(viewport, { lower: 200, upper: 700 });

  resetGray(viewport);

  expect(viewport.getProperties()).toMatchObject({ isComputedVOI: true, voiRange: { lower: 0, upper: 1000 } });
});

/** Whether rendering on the processor draws the image inverted. */
const isDrawnInverted = (viewport: StackViewport) => {
  const { _cpuFallbackEnabledElement: drawn } = viewport as unknown as {
    _cpuFallbackEnabledElement: { viewport: { invert: boolean } };
  };
  return drawn.viewport.invert;
};

test.each(interpretations)(
  'without a graphics card, %s is drawn after a reset as at first, not inverted',
  async (interpretation) => {
    const viewport = await radiograph({ photometricInterpretation: interpretation }, 'processor');
    const asFirst = isDrawnInverted(viewport);
    expect(asFirst).toBe(interpretation === 'MONOCHROME1');

    resetGray(viewport);
    expect([isDrawnInverted(viewport), isInverted(viewport)]).toEqual([asFirst, false]);
    invert(viewport);
    expect([isDrawnInverted(viewport), isInverted(viewport)]).toEqual([!asFirst, true]);
    reset(viewport);
    expect([isDrawnInverted(viewport), isInverted(viewport)]).toEqual([asFirst, false]);
  },
);
