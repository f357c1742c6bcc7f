import { renderHook } from '@testing-library/react';
import type { PointerEvent } from 'react';
import { expect, test, vi } from 'vitest';
import { usePaneDrag } from './use-pane-drag.ts';

const pointer = (pointerId: number, isPrimary: boolean) =>
  ({
    button: 0,
    pointerId,
    isPrimary,
    clientX: 0,
    clientY: 0,
    currentTarget: { getBoundingClientRect: () => new DOMRect(), setPointerCapture: () => {} },
  }) as unknown as PointerEvent<HTMLElement>;

const startDrag = () => {
  const hand = { move: vi.fn<() => void>(), end: vi.fn<() => void>(), giveUp: vi.fn<() => void>() };
  const { result } = renderHook(() =>
    usePaneDrag(
      () => hand,
      () => {},
    ),
  );
  result.current.onPointerDown(pointer(1, true));
  return { hand, on: result.current };
};

test('a second finger cancels a drag in a pane', () => {
  const { hand, on } = startDrag();

  on.onPointerDown(pointer(2, false));
  on.onPointerUp(pointer(1, true));

  expect(hand.giveUp).toHaveBeenCalledOnce();
  expect(hand.end).not.toHaveBeenCalled();
});

test('a drag in a pane ends when the device cancels the pointer', () => {
  const { hand, on } = startDrag();

  on.onPointerCancel(pointer(1, true));

  expect(hand.giveUp).toHaveBeenCalledOnce();
});
