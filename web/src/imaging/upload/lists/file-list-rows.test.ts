import { expect, test } from 'vitest';
import { uploadItem } from '#test/upload.ts';
import { listRows } from './file-list-rows.ts';
import type { UploadState } from '#imaging/upload/queue/upload-item.ts';

const item = (id: number, state: UploadState) => uploadItem(`IM${id}`, { id, state });
const items = [item(1, 'Uploaded'), item(2, 'Failed'), item(3, 'Uploaded')];

const text = (rows: ReturnType<typeof listRows>) =>
  rows.map((row) => ('item' in row ? row.item.source.name : `${row.heading} ${row.files}`));

test('during the upload, files keep the order in which they were chosen', () => {
  expect(text(listRows([...items, item(4, 'Pending')], 'All', false))).toEqual(['IM1', 'IM2', 'IM3', 'IM4']);
});

test('after the upload, files are grouped by result, failures first', () => {
  expect(text(listRows(items, 'All', true))).toEqual([
    'Failed to process files: 1',
    'IM2',
    'Successfully processed files: 2',
    'IM1',
    'IM3',
  ]);
});

test('the list shows no heading for a result without files, and can show files of one state only', () => {
  expect(text(listRows([item(1, 'Uploaded')], 'All', true))).toEqual(['Successfully processed files: 1', 'IM1']);
  expect(text(listRows(items, 'Failed', true))).toEqual(['IM2']);
});
