import { triggerEvent } from '@cornerstonejs/core';
import { annotation, CobbAngleTool, Enums, state, type Types, utilities } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { Annotation } from '#reading/viewer/measuring/drawn-annotation.ts';
import { discardDrawing } from './discard-drawing.ts';

const pointsOf = ({ data: { handles, contour } }: Annotation) =>
  structuredClone({ handles: handles?.points, outline: contour?.polyline });

/** Records the points of all annotations. Returns a function that restores them. */
const remember = (): (() => void) => {
  const places = annotation.state.getAllAnnotations().map((one) => ({ one, before: pointsOf(one) }));
  return () => {
    for (const { one, before } of places) {
      if (JSON.stringify(pointsOf(one)) === JSON.stringify(before)) continue;
      if (one.data.handles && before.handles) one.data.handles.points = before.handles;
      if (one.data.contour && before.outline) one.data.contour.polyline = before.outline;
      one.invalidated = true;
    }
  };
};

/**
 * Mends drawing by touch in the library (Cornerstone3D 5.14.0). The end of a line can be tapped like its start. A tap
 * fires no additional click. A second finger or a touchcancel cancels the drawing and restores all points. Returns a
 * function that stops this.
 */
export const patchTouchDrawing = (element: HTMLDivElement, tools: Types.IToolGroup): (() => void) => {
  const stop = new AbortController();
  // Runs before the listeners of the library.
  const early = { capture: true, passive: true, signal: stop.signal };
  let isWaiting = false;
  let putBack = () => {};
  let begun: EventTypes.TouchStartEventDetail | undefined;

  // After a touch a browser emulates mouse events, however late; a real mouse sends pointer events first:
  // https://www.w3.org/TR/pointerevents3/#compatibility-mapping-with-mouse-events.
  // The library handles mouse events before it discards them, and would draw twice.
  let isEcho = false;

  /** Keeps the changes of this touch; later touches restore only their own. */
  const letGo = () => {
    putBack = () => {};
    begun = undefined;
  };
  const revertTouch = () => {
    discardDrawing(element);
    // A moved annotation is released, not deleted.
    if (state.isInteractingWithTool && begun) triggerEvent(element, Enums.Events.TOUCH_END, begun);
    putBack();
    if (begun) utilities.triggerAnnotationRenderForViewportIds([begun.viewportId]);
    letGo();
  };
  const onTouch = ({ touches }: TouchEvent) => {
    if (touches.length > 1) {
      if (state.isInteractingWithTool) revertTouch();
      letGo();
      return;
    }
    // The Cobb angle tool handles taps correctly.
    isWaiting = state.isInteractingWithTool && tools.getActivePrimaryMouseButtonTool() !== CobbAngleTool.toolName;
    putBack = remember();
  };
  const onStart = (event: Event) => {
    begun = (event as EventTypes.TouchStartEventType).detail;
    if (isWaiting) triggerEvent(element, Enums.Events.TOUCH_DRAG, begun);
  };
  const onCancel = ({ changedTouches }: TouchEvent) => {
    revertTouch();
    // The library waits for the end of the touch, and would join the next touch to it.
    document.dispatchEvent(new TouchEvent('touchend', { changedTouches: [...changedTouches] }));
  };

  const onTouchEnd = () => {
    isEcho = true;
    letGo();
  };
  const onPointer = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') isEcho = false;
  };
  const onMouse = (event: Event) => {
    if (isEcho) event.stopPropagation();
  };

  element.addEventListener('touchstart', onTouch, early);
  element.addEventListener('touchend', onTouchEnd, early);
  for (const type of ['pointerdown', 'pointermove'] as const) element.addEventListener(type, onPointer, early);
  for (const type of ['mousedown', 'mousemove', 'mouseup']) element.addEventListener(type, onMouse, early);
  element.addEventListener('touchcancel', onCancel, early);
  element.addEventListener(Enums.Events.TOUCH_START, onStart, stop);
  return () => stop.abort();
};
