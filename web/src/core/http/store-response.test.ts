import { expect, test } from 'vitest';
import { readStoreAnswer } from './store-response.ts';

const answer = (data: unknown) => JSON.stringify({ code: 202, message: 'Accepted', data });

test('each stored file gets the outcome that the server reports for its number', () => {
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

test('an answer in another format is not taken for an answer about stored files', () => {
  expect(readStoreAnswer('<html>Bad gateway</html>', 1)).toBeUndefined();
  expect(readStoreAnswer(JSON.stringify({ code: 409, error: 'x', message: 'y' }), 1)).toBeUndefined();
});
