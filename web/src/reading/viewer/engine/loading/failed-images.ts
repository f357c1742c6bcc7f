import { Enums, eventTarget } from '@cornerstonejs/core';

/** Time in which the library repeats the rejection of a reported failure, in milliseconds. */
const afterwards = 1000;

/**
 * Silences unhandled rejections of images whose failure was reported. The viewport shows the failure; the library
 * (5.14.0) also leaves its promise unhandled.
 */
export const silenceReportedFailures = () => {
  const reportedErrors = new Set<unknown>();
  eventTarget.addEventListener(Enums.Events.IMAGE_LOAD_FAILED, ({ detail }: CustomEventInit<{ error: unknown }>) => {
    reportedErrors.add(detail?.error);
    setTimeout(() => reportedErrors.delete(detail?.error), afterwards);
  });
  window.addEventListener('unhandledrejection', (event) => reportedErrors.has(event.reason) && event.preventDefault());
};
