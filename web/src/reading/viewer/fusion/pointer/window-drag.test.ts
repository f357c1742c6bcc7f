import { expect, test } from 'vitest';
import { windowOf } from '#reading/viewer/images/gray/gray-window.ts';
import { draggedUptake, draggedWindow } from './window-drag.ts';

const soft = { lower: -160, upper: 239 };

test('a drag to the right widens the window of a CT, and a drag down raises its level', () => {
  expect(windowOf(draggedWindow(soft, 250, 0))).toEqual({ width: 800, center: 40 });
  expect(windowOf(draggedWindow(soft, 0, 250))).toEqual({ width: 400, center: 440 });
});

test('the window of PET uptake always begins at zero', () => {
  expect(draggedUptake({ lower: 0, upper: 5 }, 250, 0)).toEqual({ lower: 0, upper: 10 });
  expect(draggedUptake({ lower: 0, upper: 5 }, -5000, 0)).toEqual({ lower: 0, upper: 0.1 });
});
