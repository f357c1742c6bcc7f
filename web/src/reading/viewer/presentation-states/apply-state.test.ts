import { expect, test } from 'vitest';
import { lookOf } from '#reading/viewer/engine/stack/image-look.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { shownGrey, stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { applyState, rememberGrays } from './apply-state.ts';
import type { Voi } from './grayscale.ts';
import type { PresentationState } from './presentation-state.ts';

const interpretations = ['MONOCHROME1', 'MONOCHROME2'] as const;

let lastNumber = 0;

/** Radiograph of one image with a window from 0 to 1000. */
const radiograph = async (photometricInterpretation: (typeof interpretations)[number], draws?: 'processor') => {
  lastNumber += 1;
  const imageId = `state:${lastNumber}`;
  const viewport = await stackWithoutScreen(
    [{ imageId, photometricInterpretation, center: 500.5, width: 1001 }],
    draws,
  );
  const image: SeriesImage = { imageId, header: {}, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined };
  return { viewport, image };
};

const state: PresentationState = {
  sopInstanceUID: '2.25.1',
  label: 'NARROW',
  description: '',
  creator: '',
  created: '',
  references: new Map(),
  grays: {
    slope: 1,
    intercept: 0,
    isUsable: true,
    voi: [],
    isInverted: false,
    presentation: undefined,
    palette: undefined,
  },
  areas: [],
  rotation: 0,
  isFlipped: false,
  annotations: [],
  shutters: [],
  shutterColor: [0, 0, 0],
  hasBitmapShutter: false,
  overlays: { drawn: [], shutter: undefined },
  notApplied: [],
};
const from200To700: Voi = { kind: 'linear', range: { lower: 200, upper: 700 } };
const sigmoid: Voi = { kind: 'sigmoid', center: 500, width: 400 };

test.each(interpretations)('removing a presentation state restores the earlier view of %s', async (interpretation) => {
  const { viewport, image } = await radiograph(interpretation);
  const greys = () => [0, 250, 1000].map((value) => shownGrey(viewport, value));
  const first = greys();

  for (const voi of [from200To700, sigmoid]) {
    const takeAway = rememberGrays(viewport);
    applyState(viewport, image, { state, voi, area: undefined });
    expect(shownGrey(viewport, 200)).toBeLessThan(0.1);

    takeAway();

    expect(greys()).toEqual(first);
    expect(lookOf(viewport)?.isInverted).toBe(false);
  }
});

test('the sigmoid of a presentation state is drawn as defined', async () => {
  const { viewport, image } = await radiograph('MONOCHROME2');

  applyState(viewport, image, { state, voi: sigmoid, area: undefined });

  // Expected values of the sigmoid function: 1 / (1 + e^(-4 (x - center) / width)) (PS3.3 §C.11.2.1.3.1).
  for (const [value, share] of [
    [500, 0.5],
    [600, 0.7311],
    [300, 0.1192],
  ] as const) {
    expect(shownGrey(viewport, value)).toBeCloseTo(share, 4);
  }
});

test.each(interpretations)(
  'after removing a state, %s has the inversion and window of the user again',
  async (interpretation) => {
    const { viewport, image } = await radiograph(interpretation);
    const { invert } = viewport.getCornerstoneImage();
    viewport.setProperties({ voiRange: { lower: 0, upper: 500 }, invert: !invert });
    const takeAway = rememberGrays(viewport);
    applyState(viewport, image, { state, voi: from200To700, area: undefined });

    takeAway();

    expect([0, 500].map((value) => shownGrey(viewport, value))).toEqual(invert ? [0, 1] : [1, 0]);
    expect(lookOf(viewport)).toMatchObject({ isInverted: true, window: { lower: 0, upper: 500 } });
  },
);

test('without a graphics card a state is applied partly, and the other parts are reported', async () => {
  const { viewport, image } = await radiograph('MONOCHROME2', 'processor');
  const takeAway = rememberGrays(viewport);

  const window = applyState(viewport, image, { state, voi: from200To700, area: undefined });
  expect(viewport.getProperties()).toMatchObject({ voiRange: { lower: 200, upper: 700 }, invert: false });
  expect(window).not.toContain('grayscale curve (no graphics acceleration)');
  const curve = applyState(viewport, image, { state, voi: sigmoid, area: undefined });
  expect(curve).toContain('grayscale curve (no graphics acceleration)');

  takeAway();

  expect(viewport.getProperties()).toMatchObject({ voiRange: { lower: 0, upper: 1000 }, invert: false });
});
