import { Enums as CoreEnums, eventTarget, triggerEvent } from '@cornerstonejs/core';
import { annotation, Enums } from '@cornerstonejs/tools';
import type { Measurement } from '@radwork/contract/measurements';
import { afterEach, expect, test, vi } from 'vitest';
import { imageIdOf } from '#viewer/images/series-loader.ts';
import type { ViewBox } from '#viewer/engine/view-box.ts';
import { annotationOf, type Drawn } from './drawn-annotation.ts';
import { imagesOf } from './drawn-surface.ts';
import { type Act, createMeasurementDrawing } from './measurement-drawing.ts';

const line: Drawn = {
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

const kept = (id: string, isMine: boolean, drawn = line): Measurement => ({
  ...drawn,
  id,
  revision: 1,
  author: { username: 'weiss', name: 'Dr Weiss' },
  createdDate: '2026-11-22T10:00:00Z',
  updatedDate: '2026-11-22T10:00:00Z',
  isMine,
});

const nothingWaits = { waiting: new Map<string, Drawn | null>(), isKept: true };

const onScreen = () => annotation.state.getAllAnnotations().map(({ annotationUID }) => annotationUID);

const drawings: { close: () => void }[] = [];

const drawing = () => {
  const onAct = vi.fn<(act: Act) => void>();
  // No screen stands here: what is drawn is looked at in the library's own list.
  const viewBox = { engine: { hasBeenDestroyed: true } } as ViewBox;
  const made = createMeasurementDrawing(viewBox, imagesOf('2.25.1'), onAct);
  drawings.push(made);
  return { ...made, onAct };
};

afterEach(() => {
  for (const one of drawings.splice(0)) one.close();
  annotation.state.removeAllAnnotations();
});

const picture = imageIdOf('2.25.1', '2.25.2', '2.25.3', 1);

/** What the library does when somebody has drawn a line. */
const drawByHand = (id: string) => {
  const one = annotationOf(id, line, picture, false);
  if (!one) throw new Error('A line can be drawn on an image');
  annotation.state.addAnnotation(one, '');
  triggerEvent(eventTarget, Enums.Events.ANNOTATION_COMPLETED, { annotation: one });
};

test('a measurement without values that is only shown is nobody’s act', () => {
  const { show, settleAll, onAct } = drawing();

  show([kept('m1', true)], nothingWaits);
  triggerEvent(eventTarget, Enums.Events.ANNOTATION_MODIFIED, { annotation: annotation.state.getAnnotation('m1') });
  settleAll();

  expect(onAct).not.toHaveBeenCalled();
});

test('what was drawn a moment ago can be told of at once, before it is taken back', () => {
  const { settleAll, onAct } = drawing();

  drawByHand('m1');
  settleAll();

  expect(onAct.mock.calls).toEqual([[{ id: 'm1', before: null, after: line }]]);
});

test('what was drawn a moment ago is told of when the page goes', () => {
  const { onAct } = drawing();

  drawByHand('m1');
  window.dispatchEvent(new PageTransitionEvent('pagehide'));

  expect(onAct).toHaveBeenCalledOnce();
});

test('of somebody who keeps nothing, what they drew stays when the list comes again, and what a colleague took away goes', () => {
  const { show, settleAll } = drawing();
  const reading = { ...nothingWaits, isKept: false };
  show([kept('m1', false)], reading);
  drawByHand('m2');
  settleAll();

  show([], reading);

  expect(onScreen()).toEqual(['m2']);
});

test('what waits to be sent is on the images of a viewer that is opened again', () => {
  const { show } = drawing();

  show([], {
    isKept: true,
    waiting: new Map<string, Drawn | null>([
      ['m1', line],
      ['m2', null],
    ]),
  });

  expect(onScreen()).toEqual(['m1']);
});

test('what the server refused is drawn as the server has it', () => {
  const { show, settleAll } = drawing();
  show([], nothingWaits);
  drawByHand('m1');
  settleAll();

  show([], nothingWaits);

  expect(onScreen()).toEqual([]);
});

test('a new label takes nothing away that was read off, also where the image has not been on the screen', () => {
  const { show, relabel, onAct } = drawing();
  const read: Drawn = { ...line, values: [{ quantity: 'LENGTH', value: 10, unit: 'mm' }] };
  show([kept('m1', true, read)], nothingWaits);

  relabel('m1', 'Lesion 1');

  expect(onAct.mock.calls.map(([{ after }]) => after)).toEqual([{ ...read, label: 'Lesion 1' }]);
});

test('what was worked out while its image was still on its way is worked out anew, also before it has rested', () => {
  drawing();
  drawByHand('m1');
  const one = annotation.state.getAnnotation('m1');
  Object.assign(one?.data ?? {}, { cachedStats: { [`imageId:${picture}`]: { mean: 0 } } });

  triggerEvent(eventTarget, CoreEnums.Events.IMAGE_LOADED, { image: { imageId: picture } });

  expect(one?.data.cachedStats).toEqual({});
});
