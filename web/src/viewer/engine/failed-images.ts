import { Enums, eventTarget } from '@cornerstonejs/core';

/** How long the library goes on rejecting with a failure that it has told of, in milliseconds. */
const afterwards = 1000;

/**
 * A picture that does not come is told of in its place, when somebody looks there. The library (5.14.0) also leaves the
 * promise of it to nobody: that says nothing more, and nothing about the rest of the page.
 */
export const tellFailedImagesInTheirPlace = () => {
  const told = new Set<unknown>();
  eventTarget.addEventListener(Enums.Events.IMAGE_LOAD_FAILED, ({ detail }: CustomEventInit<{ error: unknown }>) => {
    told.add(detail?.error);
    setTimeout(() => told.delete(detail?.error), afterwards);
  });
  window.addEventListener('unhandledrejection', (event) => told.has(event.reason) && event.preventDefault());
};
