import { expect, test } from 'vitest';
import { rangeOf, windowOf, windowText } from './gray-window.ts';

test('a window with width 400 and center 40 spans -160 to 239, as the DICOM standard defines', () => {
  expect(rangeOf({ width: 400, center: 40 })).toEqual({ lower: -160, upper: 239 });
});

test('an exact window, or a window narrower than 1, spans its full width', () => {
  expect(rangeOf({ width: 400, center: 40 }, 'LINEAR_EXACT')).toEqual({ lower: -160, upper: 240 });
  expect(rangeOf({ width: 0.5, center: 1 })).toEqual({ lower: 0.75, upper: 1.25 });
});

test('a window converts to a range and back', () => {
  expect(windowOf(rangeOf({ width: 1500, center: -600 }))).toEqual({ width: 1500, center: -600 });
});

test('width and level of a window are shown as integers, a window of uptake as a range', () => {
  expect(windowText({ lower: -160, upper: 239 }, false)).toBe('W 400  L 40');
  expect(windowText({ lower: 0, upper: 5 }, true)).toBe('SUV 0.0–5.0');
});

test('a narrow window is shown with significant digits, a wide window with integers', () => {
  expect(windowText({ lower: 0, upper: 0.0031 }, false, true)).toBe('W 0.0031  L 0.00155');
  expect(windowText({ lower: 0.2, upper: 0.8 }, false, true)).toBe('W 0.6  L 0.5');
  expect(windowText({ lower: -160, upper: 239 }, false, true)).toBe('W 400  L 40');
  expect(windowText({ lower: 38, upper: 41 }, false)).toBe('W 4  L 40');
});
