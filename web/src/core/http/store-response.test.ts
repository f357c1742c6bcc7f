import { expect, test } from 'vitest';
import { readStoreAnswer } from './store-response.ts';

const answer = (data: unknown) => JSON.stringify({ code: 202, message: 'Accepted', data });

test('each file gets the outcome reported for its number', () => {
  const text = answer({
    stored: [{ name: '2', studyId: 'a' }],
    refused: [{ name: '0', reason: 'The file is not DICOM.' }],
  });

  expect(readStoreAnswer(text, 3)).toEqual([
    { isStored: false, reason: 'The file is not DICOM.' },
    undefined,
    { isStored: true, studyId: 'a' },
  ]);
});

test('an answer of another form is not read as a store answer', () => {
  expect(readStoreAnswer('<html>Bad gateway</html>', 1)).toBeUndefined();
  expect(readStoreAnswer(JSON.stringify({ code: 409, error: 'x', message: 'y' }), 1)).toBeUndefined();
});
