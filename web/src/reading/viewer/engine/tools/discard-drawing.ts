import { eventTarget } from '@cornerstonejs/core';
import { annotation, cancelActiveManipulations, Enums } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';

/** Tool that can cancel its drawing. */
export type DrawnWith = { cancel?: (element: HTMLDivElement) => unknown };

/**
 * Cancels the drawing on an element and deletes it, because the imaging library would keep it unfinished (Cornerstone3D
 * 5.14.0). The imaging library searches only the requested image. For a drawing on another image, pass its tool.
 */
export const discardDrawing = (element: HTMLDivElement, tool?: DrawnWith) => {
  const newIds: string[] = [];
  const note = (event: Event) => {
    const { annotation: one } = (event as CustomEvent<EventTypes.AnnotationCompletedEventDetail>).detail;
    newIds.push(one.annotationUID ?? '');
  };
  eventTarget.addEventListener(Enums.Events.ANNOTATION_COMPLETED, note);
  if (tool) tool.cancel?.(element);
  else cancelActiveManipulations(element);
  eventTarget.removeEventListener(Enums.Events.ANNOTATION_COMPLETED, note);
  for (const id of newIds) annotation.state.removeAnnotation(id);
};
