import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { hangPerImage, turnTo } from '#reading/viewer/engine/stack/hang-per-image.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';
import { describeShown, type View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { PresentationLayer } from './presentation-layer.tsx';
import type { PresentationState } from './presentation-state.ts';

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

let lastNumber = 0;

/** Series with both breasts: the left breast is shown as recorded, the right breast is mirrored. */
const mammograms = async (draws?: 'processor'): Promise<View> => {
  lastNumber += 1;
  const images = ['L', 'R'].map((side, at): SeriesImage => ({
    imageId: `mammogram:${lastNumber}.${side}`,
    header: {
      [tag.SOPInstanceUID]: of(side),
      [tag.SeriesInstanceUID]: of('2.25.7'),
      [tag.ImageLaterality]: of(side),
      [tag.ViewPosition]: of('MLO'),
      [tag.PatientOrientation]: of('A', 'F'),
      [tag.Columns]: of(4),
      [tag.Rows]: of(4),
    },
    frame: 1,
    numberOfFrames: 1,
    instanceNumber: at,
    plane: undefined,
  }));
  const viewport = await stackWithoutScreen(
    images.map(({ imageId }) => ({ imageId, center: 500.5, width: 1001 })),
    draws,
  );
  turnTo(viewport, undefined);
  hangPerImage(viewport, images);
  return { viewport, images };
};

/** State that rotates its images by 90 degrees and narrows their window. */
const stateFor = (...sides: ('L' | 'R')[]): PresentationState => ({
  sopInstanceUID: '2.25.1',
  label: 'QUARTER',
  description: '',
  creator: '',
  created: '',
  references: new Map([['2.25.7', new Map(sides.map((side) => [side, []]))]]),
  grays: {
    slope: 1,
    intercept: 0,
    isUsable: true,
    voi: [{ images: undefined, part: { kind: 'linear', range: { lower: 200, upper: 700 } } }],
    isInverted: false,
    presentation: undefined,
    palette: undefined,
  },
  areas: [],
  rotation: 90,
  isFlipped: false,
  annotations: [],
  shutters: [],
  shutterColor: [0, 0, 0],
  hasBitmapShutter: false,
  overlays: { drawn: [], shutter: undefined },
  notApplied: [],
});

const choose = (view: View, state: PresentationState) => {
  const shownImage = describeShown(view);
  if (!shownImage) throw new Error('Nothing is drawn');
  const { unmount } = render(
    <QueryClientProvider client={new QueryClient()}>
      <PresentationLayer view={view} shownImage={shownImage} state={state} />
    </QueryClientProvider>,
  );
  return unmount;
};

const goTo = async ({ viewport, images }: View, index: number) => {
  act(() => goToImage(viewport, index));
  await waitFor(() => expect(viewport.getCornerstoneImage().imageId).toBe(images[index]?.imageId));
};

/** Returns orientation and window of the current image. */
const stateOf = ({ viewport }: View) => {
  const { flipHorizontal = false, flipVertical = false } = viewport.getCamera();
  const { lower = 0, upper = 0 } = viewport.getProperties().voiRange ?? {};
  return { turned: Math.round(viewport.getRotation()) % 360, flipHorizontal, flipVertical, window: [lower, upper] };
};

const left = { turned: 0, flipHorizontal: false, flipVertical: false, window: [0, 1000] };
const right = { ...left, flipHorizontal: true };
const asState = { turned: 90, flipHorizontal: false, flipVertical: false, window: [200, 700] };

test('a presentation state for one breast does not change the orientation of the other breast', async () => {
  const view = await mammograms();
  expect(stateOf(view)).toEqual(left);
  const takeAway = choose(view, stateFor('L'));
  expect(stateOf(view)).toEqual(asState);

  await goTo(view, 1);
  expect(stateOf(view)).toEqual(right);
  await goTo(view, 0);
  expect(stateOf(view)).toEqual(asState);
  takeAway();
  expect(stateOf(view)).toEqual(left);
  await goTo(view, 1);
  expect(stateOf(view)).toEqual(right);
});

test('when a presentation state of both breasts is removed, each breast has its hanging orientation again', async () => {
  const view = await mammograms();
  const takeAway = choose(view, stateFor('L', 'R'));

  await goTo(view, 1);
  expect(stateOf(view)).toEqual(asState);
  takeAway();

  expect(stateOf(view)).toEqual(right);
  await goTo(view, 0);
  expect(stateOf(view)).toEqual(left);
});

test('without a graphics card, a chosen presentation state also applies to an image that arrives later', async () => {
  const view = await mammograms('processor');
  const windowOf = () => stateOf(view).window;
  const takeAway = choose(view, stateFor('L', 'R'));
  expect(windowOf()).toEqual([200, 700]);

  await goTo(view, 1);
  expect(windowOf()).toEqual([200, 700]);
  takeAway();

  expect(stateOf(view)).toMatchObject({ flipHorizontal: true, window: [0, 1000] });
});
