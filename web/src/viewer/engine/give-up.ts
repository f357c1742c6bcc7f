import { eventTarget } from '@cornerstonejs/core';
import { annotation, cancelActiveManipulations, Enums } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';

/** What something is drawn with. */
export type DrawnWith = { cancel?: (element: HTMLDivElement) => unknown };

/**
 * Gives up what is being drawn on an element: the library would keep it, as long as it has come (Cornerstone3D 5.14.0).
 * It looks on the image that is asked for; what is drawn on another one is given up by its tool.
 */
export const giveUpDrawing = (element: HTMLDivElement, tool?: DrawnWith) => {
  const begun: string[] = [];
  const note = (event: Event) => {
    const { annotation: one } = (event as CustomEvent<EventTypes.AnnotationCompletedEventDetail>).detail;
    begun.push(one.annotationUID ?? '');
  };
  eventTarget.addEventListener(Enums.Events.ANNOTATION_COMPLETED, note);
  if (tool) tool.cancel?.(element);
  else cancelActiveManipulations(element);
  eventTarget.removeEventListener(Enums.Events.ANNOTATION_COMPLETED, note);
  for (const id of begun) annotation.state.removeAnnotation(id);
};
