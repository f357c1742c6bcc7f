import { triggerEvent } from '@cornerstonejs/core';
import { annotation, CobbAngleTool, Enums, state, type Types, utilities } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { Annotation } from '#reading/viewer/measuring/drawn-annotation.ts';
import { discardDrawing } from './discard-drawing.ts';

const pointsOf = ({ data: { handles, contour } }: Annotation) =>
  structuredClone({ handles: handles?.points, outline: contour?.polyline });

/** Stores the points of all annotations. Returns a function that restores them. */
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
 * Corrects drawing by touch in the imaging library (Cornerstone3D 5.14.0). The user can tap the end of a line as well
 * as its start. A tap does not count as an additional click. A second finger or a canceled touch cancels the drawing
 * and restores all points. Returns a function that undoes the correction.
 */
export const patchTouchDrawing = (element: HTMLDivElement, tools: Types.IToolGroup): (() => void) => {
  const stop = new AbortController();
  // Options to listen in the capture phase, which comes before the imaging library.
  const early = { capture: true, passive: true, signal: stop.signal };
  let isWaiting = false;
  let putBack = () => {};
  let touchStart: EventTypes.TouchStartEventDetail | undefined;

  // Whether a mouse event is the emulation of a touch. Browsers emulate mouse events after a touch, with any delay; a
  // real mouse sends pointer events first:
  // https://www.w3.org/TR/pointerevents3/#compatibility-mapping-with-mouse-events. The imaging library would handle the
  // emulated event as a second drawing.
  let isEcho = false;

  /** Keeps the changes of this touch. Later touches restore only their own changes. */
  const resetTouch = () => {
    putBack = () => {};
    touchStart = undefined;
  };
  const revertTouch = () => {
    discardDrawing(element);
    // Releases an annotation that was being moved. It must not be deleted.
    if (state.isInteractingWithTool && touchStart) triggerEvent(element, Enums.Events.TOUCH_END, touchStart);
    putBack();
    if (touchStart) utilities.triggerAnnotationRenderForViewportIds([touchStart.viewportId]);
    resetTouch();
  };
  const onTouch = ({ touches }: TouchEvent) => {
    if (touches.length > 1) {
      if (state.isInteractingWithTool) revertTouch();
      resetTouch();
      return;
    }
    // Excludes the Cobb angle tool, which already handles taps correctly.
    isWaiting = state.isInteractingWithTool && tools.getActivePrimaryMouseButtonTool() !== CobbAngleTool.toolName;
    putBack = remember();
  };
  const onStart = (event: Event) => {
    touchStart = (event as EventTypes.TouchStartEventType).detail;
    if (isWaiting) triggerEvent(element, Enums.Events.TOUCH_DRAG, touchStart);
  };
  const onCancel = ({ changedTouches }: TouchEvent) => {
    revertTouch();
    // Ends the touch for the imaging library. Otherwise the library would join the next touch to this touch.
    document.dispatchEvent(new TouchEvent('touchend', { changedTouches: [...changedTouches] }));
  };

  const onTouchEnd = () => {
    isEcho = true;
    resetTouch();
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
