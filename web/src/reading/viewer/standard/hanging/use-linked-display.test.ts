import { cache } from '@cornerstonejs/core';
import { renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { learnUptake } from '#reading/viewer/images/values/uptake-scaling.ts';
import { stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { useLinkedDisplay } from './use-linked-display.ts';

afterEach(() => cache.purgeCache());

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const uptake = {
  [tag.Modality]: element('PT'),
  [tag.Units]: element('GML'),
  [tag.CorrectedImage]: element('ATTN', 'DECY'),
};
const activity = { ...uptake, [tag.Units]: element('BQML') };
const density = { [tag.Modality]: element('CT') };
const iodine = { ...density, [tag.RescaleType]: element('MGML') };

let lastNumber = 0;

const viewOf = async (header: DicomJson): Promise<View> => {
  lastNumber += 1;
  const imageId = `wadors:/studies/1/series/1/instances/${lastNumber}/frames/1`;
  const image = { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined };
  learnUptake([image]);
  return { viewport: await stackWithoutScreen([{ imageId, center: 8, width: 16 }]), images: [image] };
};

/** Returns the window of the second linked image after a change of the first. */
const windowBeside = async (first: DicomJson, second: DicomJson) => {
  const [leader, follower] = [await viewOf(first), await viewOf(second)];
  renderHook(() => useLinkedDisplay([leader, follower], 0, true));
  leader.viewport.setProperties({ voiRange: { lower: 0, upper: 5 } });
  return follower.viewport.getProperties().voiRange;
};

test.each([
  ['two PET series in SUV', uptake, uptake],
  ['two CTs', density, density],
])('linked panes copy a window between comparable values: %s', async (_, first, second) => {
  expect(await windowBeside(first, second)).toEqual({ lower: 0, upper: 5 });
});

test.each([
  ['PET in SUV and PET activity without SUV', uptake, activity],
  ['a CT and an iodine map', density, iodine],
])('linked panes do not copy a window between different values: %s', async (_, first, second) => {
  expect(await windowBeside(first, second)).toEqual({ lower: 0, upper: 15 });
});
