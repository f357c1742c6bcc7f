import { expect, test } from 'vitest';
import { uploadItem } from '#test/upload.ts';
import { listRows } from './file-list-rows.ts';
import type { UploadState } from '#imaging/upload/queue/upload-item.ts';

const item = (id: number, state: UploadState) => uploadItem(`IM${id}`, { id, state });
const items = [item(1, 'Uploaded'), item(2, 'Failed'), item(3, 'Uploaded')];

const text = (rows: ReturnType<typeof listRows>) =>
  rows.map((row) => ('item' in row ? row.item.source.name : `${row.heading} ${row.files}`));

test('files keep the order in which they were chosen during the upload', () => {
  expect(text(listRows([...items, item(4, 'Pending')], 'All', false))).toEqual(['IM1', 'IM2', 'IM3', 'IM4']);
});

test('at the end, files are grouped by result, failures first', () => {
  expect(text(listRows(items, 'All', true))).toEqual([
    'Failed to process files: 1',
    'IM2',
    'Successfully processed files: 2',
    'IM1',
    'IM3',
  ]);
});

test('a heading without files is left out, and one state can be shown alone', () => {
  expect(text(listRows([item(1, 'Uploaded')], 'All', true))).toEqual(['Successfully processed files: 1', 'IM1']);
  expect(text(listRows(items, 'Failed', true))).toEqual(['IM2']);
});
