import { annotation, state } from '@cornerstonejs/tools';
import { expect, onTestFinished, test, vi } from 'vitest';
import { annotationOf, type Drawing } from '#reading/viewer/measuring/drawn-annotation.ts';
import { makeTools, registerTools } from './tools.ts';
import { patchTouchDrawing } from './touch-drawing.ts';

// `discardDrawing` is disabled, because it deletes unfinished annotations, and these tests use finished annotations.
vi.mock('./discard-drawing.ts', () => ({ discardDrawing: () => {} }));

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  frame: 1,
  frameOfReferenceUID: '2.25.77',
  points: [
    [0, 0, 0],
    [50, 0, 0],
  ],
  plane: null,
  label: '',
  values: [],
};
const image = 'wadors:/api/wado-rs/studies/1/series/2.25.2/instances/2.25.3/frames/1';

/** Returns an element for touches, with a line drawn on it. */
const paneWithLine = () => {
  registerTools();
  vi.stubGlobal('TouchEvent', class extends Event {});
  const pane = document.createElement('div');
  const stop = patchTouchDrawing(pane, makeTools(crypto.randomUUID()));
  const drawn = annotationOf(crypto.randomUUID(), line, image, false);
  if (!drawn?.data.handles) throw new Error('It can be drawn');
  const { handles } = drawn.data;
  annotation.state.addAnnotation(drawn, '');
  onTestFinished(() => {
    stop();
    state.isInteractingWithTool = false;
    annotation.state.removeAllAnnotations();
    vi.unstubAllGlobals();
  });
  const touch = (type: string, fingers: number) => {
    const touches = Array.from({ length: fingers }, () => ({}));
    pane.dispatchEvent(Object.assign(new Event(type, { bubbles: true }), { touches, changedTouches: [] }));
  };
  const correct = () => {
    handles.points = [
      [0, 0, 0],
      [62, 0, 0],
    ];
    drawn.invalidated = false;
  };
  return { pane, touch, correct, end: () => handles.points?.[1], drawn };
};

test('a correction that was made after the last touch stays when the palm touches the screen', () => {
  const { touch, correct, end, drawn } = paneWithLine();
  touch('touchstart', 1);
  touch('touchend', 0);
  correct();

  state.isInteractingWithTool = true;
  touch('touchstart', 2);

  expect(end()).toEqual([62, 0, 0]);
  expect(drawn.invalidated).toBe(false);
});

test('a correction stays when the device cancels a later touch by two fingers', () => {
  const { touch, correct, end } = paneWithLine();
  touch('touchstart', 1);
  correct();
  touch('touchend', 0);

  touch('touchstart', 2);
  touch('touchcancel', 0);

  expect(end()).toEqual([62, 0, 0]);
});

test('a second finger undoes the movement made by the first', () => {
  const { touch, correct, end } = paneWithLine();
  touch('touchstart', 1);
  correct();

  state.isInteractingWithTool = true;
  touch('touchstart', 2);

  expect(end()).toEqual([50, 0, 0]);
});

test('mouse events that the browser emulates after a touch are ignored, however late, and a real mouse works', () => {
  const { pane, touch } = paneWithLine();
  const events: string[] = [];
  const canvas = pane.appendChild(document.createElement('canvas'));
  canvas.addEventListener('mousedown', () => events.push('mousedown'));
  const dispatch = (event: Event) => canvas.dispatchEvent(event);

  dispatch(new PointerEvent('pointerdown', { bubbles: true, pointerType: 'touch' }));
  touch('touchstart', 1);
  touch('touchend', 0);
  dispatch(new MouseEvent('mousedown', { bubbles: true }));
  expect(events).toEqual([]);

  dispatch(new PointerEvent('pointermove', { bubbles: true, pointerType: 'mouse' }));
  dispatch(new MouseEvent('mousedown', { bubbles: true }));
  expect(events).toEqual(['mousedown']);
});
