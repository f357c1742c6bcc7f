import { cache } from '@cornerstonejs/core';
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show } from '#test/screen.tsx';
import { studyDetails } from '#test/studies.ts';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import type { Drawing } from '#reading/viewer/measuring/drawn-annotation.ts';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { undoVisibly } from './undo-visibly.ts';
import type { ImagePlace } from './use-go-to-image.ts';

const study = studyDetails();

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: study.series[0]?.seriesInstanceUID ?? '',
  sopInstanceUID: '2.25.21',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [50, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
};

const imageOf = (sopInstanceUID: string) =>
  imageIdOf(study.studyInstanceUID, line.seriesInstanceUID, sopInstanceUID, 1);

/** Undoes in two panes with these images. Returns the image to which the viewer moved. */
const takeBack = async (drawing: Drawing | undefined, ...shownInstances: string[]) => {
  const viewports = await Promise.all(
    shownInstances.map((image) => stackWithoutScreen([{ imageId: imageOf(image), center: 8, width: 16 }])),
  );
  const led: ImagePlace[] = [];
  show(null);
  undoVisibly(
    { undo: () => drawing },
    { study, views: viewports.map((viewport) => ({ viewport, images: [] })), onGoTo: (place) => led.push(place) },
  );
  return led;
};

const words = /^Undone on another image.*which is now shown$/;

afterEach(() => cache.purgeCache());

test('undo of a measurement that no pane shows moves to its image and shows a message', async () => {
  const led = await takeBack(line, '2.25.22', '2.25.23');

  expect(led).toEqual([{ study, seriesInstanceUID: line.seriesInstanceUID, sopInstanceUID: '2.25.21', frame: 1 }]);
  expect(await screen.findByText(words)).toBeDefined();
});

test('undo keeps the image if the measurement is visible or in a volume, or if there is nothing to undo', async () => {
  expect(await takeBack(line, '2.25.22', '2.25.21')).toEqual([]);
  expect(await takeBack({ ...line, sopInstanceUID: null, frame: null })).toEqual([]);
  expect(await takeBack(undefined)).toEqual([]);
  expect(screen.queryByText(words)).toBeNull();
});
