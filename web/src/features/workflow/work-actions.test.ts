import { expect, test } from 'vitest';
import { studyId } from '#test/study-work.ts';
import { perform, type WorkAction } from './work-actions.ts';

test('an action that nobody knows is an error and no call', () => {
  const unknown: unknown = { type: 'forget' };

  expect(() => perform(studyId, unknown as WorkAction)).toThrow('Unknown workflow action');
});
