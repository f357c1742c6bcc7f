import { expect, test } from 'vitest';
import { uploadItem as item } from '#test/upload.ts';
import { failuresByReason } from './upload-item.ts';

test('failed files are grouped by reason, the most frequent first', () => {
  const items = [
    item('a', { state: 'Failed', reason: 'cut short' }),
    item('b', { state: 'Failed', reason: 'not DICOM' }),
    item('c', { state: 'Uploaded' }),
    item('d', { state: 'Failed', reason: 'not DICOM' }),
  ];

  expect(failuresByReason(items)).toEqual([
    { reason: 'not DICOM', names: ['b', 'd'] },
    { reason: 'cut short', names: ['a'] },
  ]);
});
