import { expect, test } from 'vitest';
import { failuresByReason, storedStudies, type UploadItem } from './upload-item.ts';

const item = (name: string, more: Partial<UploadItem>): UploadItem => ({
  id: 1,
  name,
  file: new File(['1234'], name),
  size: 4,
  state: 'Pending',
  ...more,
});

test('what was stored is summed up by study, in the order of the list', () => {
  const items = [
    item('a', { state: 'Uploaded', studyId: '1.2' }),
    item('b', { state: 'Uploaded', studyId: '1.1' }),
    item('c', { state: 'Failed', reason: 'no' }),
    item('d', { state: 'Uploaded', studyId: '1.2' }),
  ];

  expect(storedStudies(items)).toEqual([
    { studyId: '1.2', files: 2, bytes: 8 },
    { studyId: '1.1', files: 1, bytes: 4 },
  ]);
});

test('failures stand together by their reason, the most frequent first', () => {
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
