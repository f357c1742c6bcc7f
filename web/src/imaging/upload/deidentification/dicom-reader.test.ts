import { sampleFile } from '@radwork/dicom/sample-files';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sourceOf, WorkerHere } from '#test/upload.ts';
import { startDicomReader } from './dicom-reader.ts';

beforeEach(() => vi.stubGlobal('Worker', WorkerHere));
afterEach(() => vi.unstubAllGlobals());

test('a closed reader of DICOM files rejects pending and later requests', async () => {
  const reader = startDicomReader();
  const image = sourceOf('IM1', sampleFile());

  const inspection = reader.inspect(image);
  reader.close();

  await expect(inspection).rejects.toThrow('The browser could not read the file');
  await expect(reader.inspect(image)).rejects.toThrow('The browser could not read the file');
});
