import { Enums as CoreEnums, eventTarget, triggerEvent } from '@cornerstonejs/core';
import { annotation, Enums } from '@cornerstonejs/tools';
import type { Measurement } from '@radwork/contract/reading/measurements';
import { afterEach, expect, test, vi } from 'vitest';
import { imageIdOf } from '#reading/viewer/images/series/series-loader.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { annotationOf, type Drawing } from './drawn-annotation.ts';
import { imagesOf } from './drawing-surface.ts';
import { type MeasurementChange, createMeasurementDrawing } from './measurement-drawing.ts';

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 1,
  frameOfReferenceUID: null,
  points: [
    [0, 0, 0],
    [10, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
};

const savedMeasurement = (id: string, isMine: boolean, drawn = line): Measurement => ({
  ...drawn,
  id,
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:00:00Z',
  isMine,
});

const nothingWaits = { waiting: new Map<string, Drawing | null>(), isKept: true };

const onScreen = () => annotation.state.getAllAnnotations().map(({ annotationUID }) => annotationUID);

const drawings: { close: () => void }[] = [];

const drawing = () => {
  const onAct = vi.fn<(act: MeasurementChange) => void>();
  // The view box renders nothing, because the tests only read the annotations of the imaging library.
  const viewBox = { engine: { hasBeenDestroyed: true } } as ViewBox;
  const createdDrawing = createMeasurementDrawing(viewBox, imagesOf('2.25.1'), onAct);
  drawings.push(createdDrawing);
  return { ...createdDrawing, onAct };
};

afterEach(() => {
  for (const one of drawings.splice(0)) one.close();
  annotation.state.removeAllAnnotations();
});

const picture = imageIdOf('2.25.1', '2.25.2', '2.25.3', 1);

/** Simulates the imaging library after the user has drawn a line. */
const drawByHand = (id: string) => {
  const one = annotationOf(id, line, picture, false);
  if (!one) throw new Error('A line can be drawn on an image');
  annotation.state.addAnnotation(one, '');
  triggerEvent(eventTarget, Enums.Events.ANNOTATION_COMPLETED, { annotation: one });
};

test('showing a measurement without values records no change', () => {
  const { show, settleAll, onAct } = drawing();

  show([savedMeasurement('m1', true)], nothingWaits);
  triggerEvent(eventTarget, Enums.Events.ANNOTATION_MODIFIED, { annotation: annotation.state.getAnnotation('m1') });
  settleAll();

  expect(onAct).not.toHaveBeenCalled();
});

test('before an undo, a measurement that was just drawn is recorded', () => {
  const { settleAll, onAct } = drawing();

  drawByHand('m1');
  settleAll();

  expect(onAct.mock.calls).toEqual([[{ id: 'm1', before: null, after: line }]]);
});

test('closing the page records a measurement that was just drawn', () => {
  const { onAct } = drawing();

  drawByHand('m1');
  window.dispatchEvent(new PageTransitionEvent('pagehide'));

  expect(onAct).toHaveBeenCalledOnce();
});

test("without save permission, the user's drawings stay, and drawings that others deleted disappear", () => {
  const { show, settleAll } = drawing();
  const reading = { ...nothingWaits, isKept: false };
  show([savedMeasurement('m1', false)], reading);
  drawByHand('m2');
  settleAll();

  show([], reading);

  expect(onScreen()).toEqual(['m2']);
});

test('measurements that were not sent appear when the viewer opens again', () => {
  const { show } = drawing();

  show([], {
    isKept: true,
    waiting: new Map<string, Drawing | null>([
      ['m1', line],
      ['m2', null],
    ]),
  });

  expect(onScreen()).toEqual(['m1']);
});

test('a drawing that the server refused shows the version of the server', () => {
  const { show, settleAll } = drawing();
  show([], nothingWaits);
  drawByHand('m1');
  settleAll();

  show([], nothingWaits);

  expect(onScreen()).toEqual([]);
});

test('a new label keeps the values of a measurement, even if its image was never on the screen', () => {
  const { show, relabel, onAct } = drawing();
  const read: Drawing = { ...line, values: [{ quantity: 'LENGTH', value: 10, unit: 'mm' }] };
  show([savedMeasurement('m1', true, read)], nothingWaits);

  relabel('m1', 'Lesion 1');

  expect(onAct.mock.calls.map(([{ after }]) => after)).toEqual([{ ...read, label: 'Lesion 1' }]);
});

test('values are computed again when the image arrives, also for a measurement just drawn', () => {
  drawing();
  drawByHand('m1');
  const one = annotation.state.getAnnotation('m1');
  Object.assign(one?.data ?? {}, { cachedStats: { [`imageId:${picture}`]: { mean: 0 } } });

  triggerEvent(eventTarget, CoreEnums.Events.IMAGE_LOADED, { image: { imageId: picture } });

  expect(one?.data.cachedStats).toEqual({});
});
