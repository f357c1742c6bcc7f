import { expect, test } from 'vitest';
import { studyId } from '#test/study-work.ts';
import { perform, type WorkAction } from './workflow-actions.ts';

test('an unknown workflow action throws an error before any call', () => {
  const unknown: unknown = { type: 'forget' };

  expect(() => perform(studyId, unknown as WorkAction)).toThrow('Unknown workflow action');
});
