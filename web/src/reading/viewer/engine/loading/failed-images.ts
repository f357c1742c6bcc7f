import { Enums, eventTarget } from '@cornerstonejs/core';

/** Time in milliseconds during which the imaging library may reject again because of a failure already reported. */
const afterwards = 1000;

/**
 * Silences unhandled rejections for images whose failure was reported. The viewport already shows the failure, but the
 * imaging library (5.14.0) also leaves a promise unhandled.
 */
export const silenceReportedFailures = () => {
  const reportedErrors = new Set<unknown>();
  eventTarget.addEventListener(Enums.Events.IMAGE_LOAD_FAILED, ({ detail }: CustomEventInit<{ error: unknown }>) => {
    reportedErrors.add(detail?.error);
    setTimeout(() => reportedErrors.delete(detail?.error), afterwards);
  });
  window.addEventListener('unhandledrejection', (event) => reportedErrors.has(event.reason) && event.preventDefault());
};
