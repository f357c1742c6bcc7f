import { Enums, eventTarget, triggerEvent } from '@cornerstonejs/core';
import { expect, test } from 'vitest';
import { silenceReportedFailures } from './failed-images.ts';

const rejectedWith = (reason: unknown) => {
  const event = Object.assign(new Event('unhandledrejection', { cancelable: true }), { reason });
  window.dispatchEvent(event);
  return event;
};

test('the page handles the rejected promise of a failed image, and of nothing else', () => {
  silenceReportedFailures();
  triggerEvent(eventTarget, Enums.Events.IMAGE_LOAD_FAILED, { imageId: 'wadors:7', error: 84_120 });

  expect(rejectedWith(84_120).defaultPrevented).toBe(true);
  expect(rejectedWith(84_121).defaultPrevented).toBe(false);
  expect(rejectedWith(new Error('Else')).defaultPrevented).toBe(false);
});
