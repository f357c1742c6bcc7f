import { triggerEvent } from '@cornerstonejs/core';
import { annotation, CobbAngleTool, Enums, state, type Types, utilities } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { Annotation } from '#viewer/measuring/drawn-annotation.ts';
import { giveUpDrawing } from './give-up.ts';

const pointsOf = ({ data: { handles, contour } }: Annotation) =>
  structuredClone({ handles: handles?.points, outline: contour?.polyline });

/** Notes where everything lies that is drawn. What it answers puts it back there. */
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
 * What the library leaves out of drawing by fingers (Cornerstone3D 5.14.0): that the end of a line can be tapped like its
 * beginning, that a tap is no click besides, that a second finger or the device takes the drawing away, and that nothing has changed then. Returns how to
 * stop.
 */
export const mendTouches = (element: HTMLDivElement, tools: Types.IToolGroup): (() => void) => {
  const stop = new AbortController();
  // Before the library hears of it.
  const early = { capture: true, passive: true, signal: stop.signal };
  let isWaiting = false;
  let putBack = () => {};
  let begun: EventTypes.TouchStartEventDetail | undefined;

  // After a touch a browser tells of it once more, as of a mouse, however late; a mouse has a pointer of its own before:
  // https://www.w3.org/TR/pointerevents3/#compatibility-mapping-with-mouse-events. The library hears of the mouse before
  // it turns it away, and would draw twice.
  let isEcho = false;

  /** What this touch has moved stays: later ones put back nothing but what they have moved themselves. */
  const letGo = () => {
    putBack = () => {};
    begun = undefined;
  };
  const giveUp = () => {
    giveUpDrawing(element);
    // What is only moved is not given up but let go of.
    if (state.isInteractingWithTool && begun) triggerEvent(element, Enums.Events.TOUCH_END, begun);
    putBack();
    if (begun) utilities.triggerAnnotationRenderForViewportIds([begun.viewportId]);
    letGo();
  };
  const onTouch = ({ touches }: TouchEvent) => {
    if (touches.length > 1) {
      if (state.isInteractingWithTool) giveUp();
      letGo();
      return;
    }
    // Its tool puts its points where they are tapped by itself.
    isWaiting = state.isInteractingWithTool && tools.getActivePrimaryMouseButtonTool() !== CobbAngleTool.toolName;
    putBack = remember();
  };
  const onStart = (event: Event) => {
    begun = (event as EventTypes.TouchStartEventType).detail;
    if (isWaiting) triggerEvent(element, Enums.Events.TOUCH_DRAG, begun);
  };
  const onCancel = ({ changedTouches }: TouchEvent) => {
    giveUp();
    // The library waits for the end of the touch, and would take the next one for the rest of it.
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
