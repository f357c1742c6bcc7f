import { cache } from '@cornerstonejs/core';
import { renderHook } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { eventually } from '#test/eventually.ts';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { useLinkedScroll } from './use-linked-scroll.ts';

afterEach(() => cache.purgeCache());

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const header = {
  [tag.Rows]: element(4),
  [tag.Columns]: element(4),
  [tag.PixelSpacing]: element(1, 1),
  [tag.FrameOfReferenceUID]: element('2.25.1'),
};

let lastNumber = 0;

/** Shows the first of two axial slices at these heights, in mm. */
const viewOf = async (...heights: number[]): Promise<View> => {
  const images = heights.map((height) => {
    lastNumber += 1;
    const imageId = `wadors:/studies/1/series/1/instances/${lastNumber}/frames/1`;
    const plane = { position: [0, 0, height], along: [1, 0, 0], down: [0, 1, 0] } as const;
    return { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane };
  });
  const viewport = await stackWithoutScreen(images.map(({ imageId }) => ({ imageId, center: 8, width: 16 })));
  return { viewport, images } as unknown as View;
};

test('a view of opposite order that is drawn last moves to the slice of the current view, and its image arrives', async () => {
  const [leader, follower] = [await viewOf(100, 0), await viewOf(0, 100)];
  const { viewport, images } = follower;
  // Nothing is drawn yet when the views are linked.
  vi.spyOn(viewport, 'getCornerstoneImage').mockReturnValueOnce(undefined as never);
  renderHook(() => useLinkedScroll([leader, follower], 0, true));
  expect(viewport.getCurrentImageIdIndex()).toBe(0);

  await viewport.setStack(images.map(({ imageId }) => imageId));

  await eventually(() => expect(viewport.getCornerstoneImage().imageId).toBe(images[1]?.imageId));
  expect(viewport.getCurrentImageIdIndex()).toBe(1);
});
