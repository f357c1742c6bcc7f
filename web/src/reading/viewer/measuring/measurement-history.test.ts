import { expect, test } from 'vitest';
import { canTakeBack, createHistory, type RecordedChange } from './measurement-history.ts';
import type { Drawing } from './drawn-annotation.ts';

const line: Drawing = {
  tool: 'LENGTH',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: null,
  frame: null,
  frameOfReferenceUID: '2.25.77',
  points: [
    [0, 0, 0],
    [50, 0, 0],
  ],
  plane: { normal: [0, -1, 0], up: [0, 0, 1] },
  label: '',
  values: [],
};

test('measurements are listed in the order of drawing, not of their arrival at the server', () => {
  const acts = createHistory(() => {});
  acts.add({ id: 'm1', before: null, after: line, on: 'arterial' });
  acts.add({ id: 'm2', before: null, after: line, on: 'arterial' });
  acts.add({ id: 'older', before: line, after: { ...line, label: 'Ball' }, on: 'arterial' });

  // The measurement "older" was drawn before this window opened, so it comes first.
  expect(acts.inOrder(['older', 'm2', 'm1'])).toEqual(['older', 'm1', 'm2']);
  expect(acts.inOrder(['older', 'm2'])).toEqual(['older', 'm2']);
});

test('a change on one series cannot be undone after a later change on another series', () => {
  let done: readonly RecordedChange[] = [];
  const acts = createHistory((next) => {
    done = next;
  });
  acts.add({ id: 'm1', before: null, after: line, on: 'arterial' });
  acts.add({ id: 'm1', before: line, after: null, on: 'venous' });

  expect([canTakeBack(done, 'arterial'), canTakeBack(done, 'venous')]).toEqual([false, true]);
  expect(acts.takeLast('arterial')).toBeUndefined();
  expect(acts.takeLast('venous')).toMatchObject({ id: 'm1', before: line });
  expect(acts.takeLast('arterial')).toMatchObject({ id: 'm1', before: null });
});
