import { type PointerEvent, useRef } from 'react';

type Spot = { x: number; y: number };

/** Handlers of a drag. They receive the pointer position and its change since the last call, in CSS pixels. */
export type DragHandlers = {
  move: (at: Spot, by: Spot) => void;
  /** Called at release. `isClick`: the pointer has not moved. */
  end?: (at: Spot, isClick: boolean) => void;
  /** Called when a second finger or the device canceled the drag. */
  giveUp?: () => void;
};

/** Returns the largest movement that still counts as a click, in CSS pixels. */
const trembleOf = ({ pointerType }: PointerEvent): number => (pointerType === 'touch' ? 8 : 3);

const spotOf = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Spot => {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top };
};

/**
 * Handles drags with the primary button or one finger. `take` returns the handlers for a drag from a point, or
 * undefined to ignore it.
 */
export const usePaneDrag = (
  take: (at: Spot, isFinger: boolean) => DragHandlers | undefined,
  onHover: (at: Spot | undefined) => void,
) => {
  const drag = useRef<{ hand: DragHandlers; start: Spot; last: Spot; isClick: boolean; pointer: number }>(undefined);
  const stop = (event: PointerEvent<HTMLElement>) => {
    const current = drag.current;
    if (current?.pointer !== event.pointerId) return;
    drag.current = undefined;
    current.hand.end?.(spotOf(event), current.isClick);
  };
  const cancelDrag = () => {
    drag.current?.hand.giveUp?.();
    drag.current = undefined;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      // Leaves drags with two fingers to the imaging library, which zooms.
      if (event.button !== 0 || !event.isPrimary) {
        cancelDrag();
        return;
      }
      const at = spotOf(event);
      const hand = take(at, event.pointerType === 'touch');
      if (!hand) return;
      // Browsers cannot capture a pointer simulated by the keyboard.
      if (event.isTrusted) event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { hand, start: at, last: at, isClick: true, pointer: event.pointerId };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const at = spotOf(event);
      onHover(at);
      const current = drag.current;
      if (current?.pointer !== event.pointerId) return;
      if (Math.hypot(at.x - current.start.x, at.y - current.start.y) > trembleOf(event)) current.isClick = false;
      if (!current.isClick) current.hand.move(at, { x: at.x - current.last.x, y: at.y - current.last.y });
      if (!current.isClick) current.last = at;
    },
    onPointerUp: stop,
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      if (drag.current?.pointer === event.pointerId) cancelDrag();
    },
    onPointerLeave: () => onHover(undefined),
  };
};
