import { expect, test } from 'vitest';
import { workerOfBuild } from './start-worker.ts';

test.each([
  '/assets/pdf-worker-ClT6UGn4.js',
  '/assets/dicom-worker-3ZQuxP_i.js',
  '/assets/decodeImageFrameWorker-l0h-OraR.js',
])('a worker script of the build starts: %s', (url) => {
  expect(workerOfBuild(url)).toBe(url);
});

test.each([
  '/assets/no-eval.js',
  'https://example.org/assets/pdf-worker-ClT6UGn4.js',
  '//example.org/assets/pdf-worker-ClT6UGn4.js',
  '/api/pictures/../../assets/pdf-worker-ClT6UGn4.js',
  '/assets/pdf-worker-ClT6UGn4.js?next=/api/files/1',
  '/assets/pdf-worker-ClT6UGn4.js\n',
  'blob:http://127.0.0.1/5f2a',
  'data:text/javascript,1',
  '',
])('a worker with any other address is refused: %j', (url) => {
  expect(() => workerOfBuild(url)).toThrow('Not a worker of this application');
});
