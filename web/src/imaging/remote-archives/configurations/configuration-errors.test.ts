import { expect, test } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import { configurationErrorMessage } from './configuration-errors.ts';

const failed = 'Failed to save configuration';

test.each([
  [0, 'No response received from server'],
  [400, 'Invalid request data'],
  [401, 'Authentication required'],
  [403, 'Access denied'],
  [404, 'Configuration not found'],
  [409, 'Configuration already exists'],
  [422, 'Validation failed'],
  [500, 'Server error occurred'],
  [418, 'Unexpected error: 418'],
])('an answer of status %i without a message is shown as "%s"', (status, message) => {
  expect(configurationErrorMessage(new ApiError(status, 'answer.unreadable', 'x'), failed)).toBe(message);
});

test("the server's message replaces the message of its status, and a missing answer has a message too", () => {
  const apiError = new ApiError(409, 'configuration.in_use', 'An import from it is under way');

  expect(configurationErrorMessage(apiError, failed)).toBe('An import from it is under way');
  expect(configurationErrorMessage(new TypeError('x'), failed)).toBe('Failed to save configuration');
});
