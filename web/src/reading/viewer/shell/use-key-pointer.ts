import { t } from '@lingui/core/macro';
import { useState } from 'react';
import type { Shortcut } from '#ui/keyboard/shortcuts.ts';
import { discardDrawing } from '#reading/viewer/engine/tools/discard-drawing.ts';

type Spot = { x: number; y: number };

/** Position of the key pointer in CSS pixels of the image element, and whether its button is pressed. */
export type Pointer = Spot & { isDown: boolean };

/** Movement per arrow key, in CSS pixels. With Alt, one pixel. */
const stride = 8;

const stepByKey = [
  ['ArrowLeft', t`Move pointer left`, t`Move pointer left by one pixel`, { x: -1, y: 0 }],
  ['ArrowRight', t`Move pointer right`, t`Move pointer right by one pixel`, { x: 1, y: 0 }],
  ['ArrowUp', t`Move pointer up`, t`Move pointer up by one pixel`, { x: 0, y: -1 }],
  ['ArrowDown', t`Move pointer down`, t`Move pointer down by one pixel`, { x: 0, y: 1 }],
] as const;

/** Dispatches pointer and mouse events on the image as a browser would. */
const dispatchPointerEvent = (
  element: HTMLElement,
  { x, y, isDown }: Pointer,
  type: 'down' | 'move' | 'up' | 'cancel',
) => {
  const { left, top } = element.getBoundingClientRect();
  const event = {
    bubbles: true,
    cancelable: true,
    clientX: left + x,
    clientY: top + y,
    buttons: isDown ? 1 : 0,
    isPrimary: true,
    pointerType: 'mouse',
  };
  element.dispatchEvent(new PointerEvent(`pointer${type}`, event));
  if (type !== 'cancel') element.dispatchEvent(new MouseEvent(`mouse${type}`, event));
};

/**
 * State of a pointer on an image. Arrow keys move the pointer, and Enter presses it. With this pointer, keys can do all
 * that a mouse does with the active tool. It appears on request and disappears when the image changes. `keys` apply
 * while it exists.
 */
export const useKeyPointer = (element: HTMLDivElement | undefined) => {
  const [shown, setShown] = useState<{ element: HTMLDivElement; pointer: Pointer }>();
  const pointer = element && shown?.element === element ? shown.pointer : undefined;
  const put = (next: Pointer, ...types: Parameters<typeof dispatchPointerEvent>[2][]) => {
    if (!element) return;
    setShown({ element, pointer: next });
    for (const type of types) dispatchPointerEvent(element, next, type);
  };
  const leave = () => {
    if (element && pointer?.isDown) {
      discardDrawing(element);
      put({ ...pointer, isDown: false }, 'cancel', 'up');
    }
    setShown(undefined);
  };
  const move = ({ x, y }: Spot) => {
    if (!pointer || !element) return;
    const inside = (place: number, size: number) => Math.min(size - 1, Math.max(0, place));
    const to = { x: inside(pointer.x + x, element.clientWidth), y: inside(pointer.y + y, element.clientHeight) };
    put({ ...pointer, ...to }, 'move');
  };
  const press = () => {
    if (pointer) put({ ...pointer, isDown: !pointer.isDown }, pointer.isDown ? 'up' : 'down');
  };
  const toggle = () => {
    if (pointer || !element) return leave();
    put({ x: Math.round(element.clientWidth / 2), y: Math.round(element.clientHeight / 2), isDown: false }, 'move');
  };

  return { pointer, toggle, keys: keysOf({ move, press, leave }) };
};

/** Shortcut to show the pointer on the current image. */
export const pointerKey = "'";

type PointerActions = { move: (by: Spot) => void; press: () => void; leave: () => void };

const keysOf = ({ move, press, leave }: PointerActions): Shortcut[] => [
  ...stepByKey.map(([keys, does, , { x, y }]) => ({
    keys,
    does,
    run: () => move({ x: x * stride, y: y * stride }),
  })),
  ...stepByKey.map(([keys, , does, by]) => ({ keys: `Alt+${keys}`, does, run: () => move(by) })),
  { keys: 'Enter', does: t`Press or release`, run: press },
  { keys: 'Escape', does: t`Cancel the drawing and hide the pointer`, run: leave },
];
