import { afterEach, expect, test, vi } from 'vitest';
import { FakeRequest } from '#test/fake-request.ts';
import { sessionOf } from '#test/screen.tsx';
import { keepSession, readSession } from './session.ts';
import { type OutgoingFile, storeFiles } from './upload.ts';

const file = (name: string, bytes: number): OutgoingFile => ({
  body: new File(['x'.repeat(bytes)], name),
  size: bytes,
});

const upload = (files: OutgoingFile[], studyInstanceUID?: string) => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const abort = new AbortController();
  const progress: number[] = [];
  const outcomes = storeFiles(files, {
    studyInstanceUID,
    onProgress: (bytes) => progress.push(bytes),
    signal: abort.signal,
  });
  if (!FakeRequest.last) throw new Error('Nothing was sent');
  return { outcomes, progress, abort, request: FakeRequest.last };
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  FakeRequest.last = undefined;
});

test('the study comes before the files, and the files travel under numbers', async () => {
  keepSession(sessionOf());
  const { request, outcomes } = upload([file('DOE^JOHN/IM1', 2), file('DOE^JOHN/IM2', 2)], '1.2.3');
  request.answer(200, { code: 200, data: { stored: [], refused: [] } });
  await outcomes;

  expect(request.address).toBe('POST /api/stow-rs/studies');
  expect(request.headers.get('authorization')).toMatch(/^Bearer /);
  const parts = [...(request.body ?? [])];
  expect(parts.map(([name]) => name)).toEqual(['studyInstanceUID', 'file', 'file']);
  expect(parts.map(([, part]) => (part instanceof File ? part.name : part))).toEqual(['1.2.3', '0', '1']);
});

test('progress is counted in bytes of the files, not of the request around them', async () => {
  const { request, progress, outcomes } = upload([file('a', 600), file('b', 400)]);

  request.upload.onprogress?.({ loaded: 800, total: 1600 });
  request.answer(200, { code: 200, data: { stored: [], refused: [] } });
  await outcomes;

  expect(progress).toEqual([500]);
});

test('a request of which nothing was stored still says why, file by file', async () => {
  const { request, outcomes } = upload([file('a', 1)]);

  request.answer(200, { code: 200, data: { stored: [], refused: [{ name: '0', reason: 'The file is not DICOM.' }] } });

  expect(await outcomes).toEqual([{ isStored: false, reason: 'The file is not DICOM.' }]);
});

test('a refusal of the whole request keeps the words of the server', async () => {
  const { request, outcomes } = upload([file('a', 1)]);

  request.answer(413, { code: 413, error: 'store.too_many', message: 'Send at most 5000 files in one request' });

  await expect(outcomes).rejects.toMatchObject({ status: 413, message: 'Send at most 5000 files in one request' });
});

test('a full archive is told from files that are refused, also of those beside one', async () => {
  const { request, outcomes } = upload([file('a', 1), file('b', 1)]);

  request.answer(507, {
    code: 507,
    error: 'store.full',
    message: 'The server has no space left.',
    data: {
      stored: [],
      refused: [
        { name: '0', reason: 'This is not a DICOM file.' },
        { name: '1', reason: 'The server has no space left.' },
      ],
    },
  });

  await expect(outcomes).rejects.toMatchObject({ status: 507, message: 'The server has no space left.' });
});

test('an ended session signs out', async () => {
  keepSession(sessionOf());
  const { request, outcomes } = upload([file('a', 1)]);

  request.answer(401, { code: 401, error: 'session.ended', message: 'Please sign in' });

  await expect(outcomes).rejects.toMatchObject({ status: 401 });
  expect(readSession()).toBeUndefined();
});

test('a connection that breaks is told from a refusal', async () => {
  const { request, outcomes } = upload([file('a', 1)]);

  request.onerror();

  await expect(outcomes).rejects.toMatchObject({ status: 0, message: 'No response received from server' });
});

test('an upload that stands still for a minute has failed', async () => {
  vi.useFakeTimers();
  const { request, outcomes } = upload([file('a', 10)]);
  const failure = outcomes.catch((error: unknown) => error);

  vi.advanceTimersByTime(59_000);
  request.upload.onprogress?.({ loaded: 5, total: 10 });
  vi.advanceTimersByTime(60_000);

  expect(await failure).toMatchObject({ status: 0, message: 'The upload stood still for 60 seconds' });
});

test('a server that has everything may take its time to store it', async () => {
  vi.useFakeTimers();
  const { request, outcomes } = upload([file('a', 10)]);

  request.upload.onprogress?.({ loaded: 10, total: 10 });
  request.upload.onload?.();
  vi.advanceTimersByTime(599_000);
  request.answer(200, { code: 200, data: { stored: [{ name: '0', studyId: 'd9f0' }], refused: [] } });

  expect(await outcomes).toEqual([{ isStored: true, studyId: 'd9f0' }]);
});

test('a server that has everything and is silent for ten minutes is said to be the one that failed', async () => {
  vi.useFakeTimers();
  const { request, outcomes } = upload([file('a', 10)]);
  const failure = outcomes.catch((error: unknown) => error);

  request.upload.onprogress?.({ loaded: 10, total: 10 });
  request.upload.onload?.();
  vi.advanceTimersByTime(600_000);

  expect(await failure).toMatchObject({
    status: 0,
    message: 'The server received everything and did not answer for 10 minutes',
  });
});

test('cancelling ends the request', async () => {
  const { abort, outcomes } = upload([file('a', 1)]);

  abort.abort();

  await expect(outcomes).rejects.toMatchObject({ name: 'AbortError' });
});
