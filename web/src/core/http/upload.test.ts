import { afterEach, expect, test, vi } from 'vitest';
import { FakeRequest } from '#test/fake-request.ts';
import { sessionOf } from '#test/screen.tsx';
import { saveSession, readSession } from '#core/state/session.ts';
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

test('an upload sends the study data before the files, and the files have numbers as names', async () => {
  saveSession(sessionOf());
  const { request, outcomes } = upload([file('DOE^JOHN/IM1', 2), file('DOE^JOHN/IM2', 2)], '1.2.3');
  request.answer(200, { code: 200, data: { stored: [], refused: [] } });
  await outcomes;

  expect(request.address).toBe('POST /api/stow-rs/studies');
  expect(request.headers.get('authorization')).toMatch(/^Bearer /);
  const parts = [...(request.body ?? [])];
  expect(parts.map(([name]) => name)).toEqual(['studyInstanceUID', 'file', 'file']);
  expect(parts.map(([, part]) => (part instanceof File ? part.name : part))).toEqual(['1.2.3', '0', '1']);
});

test('the progress of an upload counts the bytes of the files, not of the request', async () => {
  const { request, progress, outcomes } = upload([file('a', 600), file('b', 400)]);

  request.upload.onprogress?.({ loaded: 800, total: 1600 });
  request.answer(200, { code: 200, data: { stored: [], refused: [] } });
  await outcomes;

  expect(progress).toEqual([500]);
});

test('an upload that stored nothing gives a reason for each file', async () => {
  const { request, outcomes } = upload([file('a', 1)]);

  request.answer(200, { code: 200, data: { stored: [], refused: [{ name: '0', reason: 'The file is not DICOM.' }] } });

  expect(await outcomes).toEqual([{ isStored: false, reason: 'The file is not DICOM.' }]);
});

test('a refused upload keeps the message of the server', async () => {
  const { request, outcomes } = upload([file('a', 1)]);

  request.answer(413, { code: 413, error: 'store.too_many', message: 'Send at most 5000 files in one request' });

  await expect(outcomes).rejects.toMatchObject({ status: 413, message: 'Send at most 5000 files in one request' });
});

test('a full archive raises its own error during upload, even with refused files', async () => {
  const { request, outcomes } = upload([file('a', 1), file('b', 1)]);

  request.answer(507, {
    code: 507,
    error: 'store.full',
    message: 'The server is out of storage space.',
    data: {
      stored: [],
      refused: [
        { name: '0', reason: 'This is not a DICOM file.' },
        { name: '1', reason: 'The server is out of storage space.' },
      ],
    },
  });

  await expect(outcomes).rejects.toMatchObject({ status: 507, message: 'The server is out of storage space.' });
});

test('an upload whose session has ended signs the user out', async () => {
  saveSession(sessionOf());
  const { request, outcomes } = upload([file('a', 1)]);

  request.answer(401, { code: 401, error: 'session.ended', message: 'Please sign in' });

  await expect(outcomes).rejects.toMatchObject({ status: 401 });
  expect(readSession()).toBeUndefined();
});

test('an upload distinguishes a broken connection from a refusal', async () => {
  const { request, outcomes } = upload([file('a', 1)]);

  request.onerror();

  await expect(outcomes).rejects.toMatchObject({ status: 0, message: 'No response received from server' });
});

test('an upload without progress for a minute fails', async () => {
  vi.useFakeTimers();
  const { request, outcomes } = upload([file('a', 10)]);
  const failure = outcomes.catch((error: unknown) => error);

  vi.advanceTimersByTime(59_000);
  request.upload.onprogress?.({ loaded: 5, total: 10 });
  vi.advanceTimersByTime(60_000);

  expect(await failure).toMatchObject({ status: 0, message: 'The upload made no progress for 60 seconds' });
});

test('an upload waits for a server that has received everything and still stores it', async () => {
  vi.useFakeTimers();
  const { request, outcomes } = upload([file('a', 10)]);

  request.upload.onprogress?.({ loaded: 10, total: 10 });
  request.upload.onload?.();
  vi.advanceTimersByTime(599_000);
  request.answer(200, { code: 200, data: { stored: [{ name: '0', studyId: 'd9f0' }], refused: [] } });

  expect(await outcomes).toEqual([{ isStored: true, studyId: 'd9f0' }]);
});

test('an upload fails when the server is silent for ten minutes after receiving everything', async () => {
  vi.useFakeTimers();
  const { request, outcomes } = upload([file('a', 10)]);
  const failure = outcomes.catch((error: unknown) => error);

  request.upload.onprogress?.({ loaded: 10, total: 10 });
  request.upload.onload?.();
  vi.advanceTimersByTime(600_000);

  expect(await failure).toMatchObject({
    status: 0,
    message: 'The server received all files but did not respond for 10 minutes',
  });
});

test('canceling an upload ends its request', async () => {
  const { abort, outcomes } = upload([file('a', 1)]);

  abort.abort();

  await expect(outcomes).rejects.toMatchObject({ name: 'AbortError' });
});
