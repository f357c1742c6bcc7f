import type { StackViewport } from '@cornerstonejs/core';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { usePhaseWheel } from './move-by-phase.ts';

const imageAt = (at: number, place: number) => ({
  imageId: `${at} ${place}`,
  header: {},
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: place + 1,
  plane: undefined,
  phase: { at, count: 3, place, places: 2, isTime: true, isUnnamed: false, facts: {} },
});

test('Shift and the wheel show the next phase of the slice; the library handles the wheel alone', () => {
  const element = document.createElement('div');
  let index = 1;
  const viewport = { element, getTargetImageIdIndex: () => index, scroll: (by: number) => (index += by) };
  const images = [0, 1, 2].flatMap((phase) => [0, 1].map((place) => imageAt(phase, place)));
  const view = { images, viewport: viewport as unknown as StackViewport };
  renderHook(() => usePhaseWheel(view));
  const turn = (wheel: WheelEventInit) => element.dispatchEvent(new WheelEvent('wheel', wheel));

  turn({ deltaY: 100 });
  expect(index).toBe(1);
  turn({ deltaY: 100, shiftKey: true });
  expect(index).toBe(3);
  // Chrome reports a horizontal wheel movement while Shift is held.
  turn({ deltaX: 100, shiftKey: true });
  expect(index).toBe(5);
  turn({ deltaX: -100, shiftKey: true });
  expect(index).toBe(3);
});
