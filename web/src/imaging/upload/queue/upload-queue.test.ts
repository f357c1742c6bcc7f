import { expect, test, vi } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import type { FileOutcome } from '#core/http/upload.ts';
import { until } from '#test/eventually.ts';
import { instanceSummary, sourceOf } from '#test/upload.ts';
import {
  chosenFile as file,
  chosenFiles as files,
  counts,
  delivery,
  nameOf,
  queueWith,
  silence,
  stored,
} from '#test/upload-queue.ts';
import type { ChosenFile } from '#imaging/upload/choosing/recognize-files.ts';
import { SourceProblem } from '#imaging/upload/choosing/file-source.ts';
import type { UploadPorts } from './upload-ports.ts';

/** Returns a promise and the function that resolves it. */
const heldUpload = () => {
  let release: (outcomes: FileOutcome[]) => void = () => {};
  const outcomes = new Promise<FileOutcome[]>((resolve) => {
    release = resolve;
  });
  return { outcomes, release };
};

test('every chosen file is sent once and is then listed as Uploaded, with its study', async () => {
  const sent: string[] = [];
  const { queue } = queueWith({
    send: async (batch) => {
      sent.push(...batch.map(nameOf));
      return batch.map(() => stored);
    },
  });
  queue.add(files(120));

  await queue.start(delivery);

  expect(new Set(sent).size).toBe(120);
  expect(sent).toHaveLength(120);
  expect(counts(queue)).toEqual({ pending: 0, uploading: 0, uploaded: 120, failed: 0 });
  expect(queue.snapshot().items[0]?.studyId).toBe('d9f0');
});

test('at most three batches are sent at a time', async () => {
  let [now, most] = [0, 0];
  const { queue } = queueWith({
    send: async (batch) => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now -= 1;
      return batch.map(() => stored);
    },
  });
  queue.add(files(500));

  await queue.start(delivery);

  expect(most).toBe(3);
});

test('the entered study data is sent with every batch', async () => {
  const send = vi.fn<UploadPorts['send']>(async (batch) => batch.map(() => stored));
  const { queue } = queueWith({ send });
  queue.add(files(60));

  await queue.start({ ...delivery, studyInstanceUID: '1.2.840.1' });

  expect(send).toHaveBeenCalledTimes(2);
  expect(send).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ studyInstanceUID: '1.2.840.1' }));
});

test('a file that the server refuses shows its reason, and the other files of the batch are stored', async () => {
  const { queue } = queueWith({
    send: async () => [stored, { isStored: false, reason: 'The file is not DICOM.' }, stored],
  });
  queue.add(files(3));

  await queue.start(delivery);

  expect(counts(queue)).toMatchObject({ uploaded: 2, failed: 1 });
  expect(queue.snapshot().items[1]).toMatchObject({ state: 'Failed', reason: 'The file is not DICOM.' });
});

test("a file that the server's answer does not mention counts as failed", async () => {
  const { queue } = queueWith({ send: async () => [stored] });
  queue.add(files(2));

  await queue.start(delivery);

  expect(queue.snapshot().items[1]).toMatchObject({
    state: 'Failed',
    reason: 'The server did not confirm this file',
  });
});

test('a batch without a response is sent again, after a longer pause each time', async () => {
  let tries = 0;
  const { queue, pauses } = queueWith({
    send: async (batch) => {
      tries += 1;
      if (tries < 4) throw silence();
      return batch.map(() => stored);
    },
  });
  queue.add(files(2));

  await queue.start(delivery);

  expect(pauses).toEqual([1000, 3000, 9000]);
  expect(counts(queue)).toMatchObject({ uploaded: 2, failed: 0 });
});

test('the upload waits as long as the server asks', async () => {
  let tries = 0;
  const { queue, pauses } = queueWith({
    send: async (batch) => {
      tries += 1;
      if (tries === 1) throw new ApiError(429, 'busy', 'Too many uploads', { retryAfterSeconds: 20 });
      return batch.map(() => stored);
    },
  });
  queue.add(files(1));

  await queue.start(delivery);

  expect(pauses).toEqual([20_000]);
});

test('when the server stays unreachable, files being sent fail and the other files stay Pending', async () => {
  const { queue } = queueWith({
    send: async () => {
      throw silence();
    },
  });
  queue.add(files(400));

  await queue.start(delivery);

  expect(counts(queue)).toEqual({ pending: 250, uploading: 0, uploaded: 0, failed: 150 });
  expect(queue.snapshot()).toMatchObject({ isRunning: false, interruption: 'No response received from server' });
});

test('a refused batch is not sent again, and the next batches are sent', async () => {
  const send = vi.fn<UploadPorts['send']>(async (batch) => {
    if (batch[0] && nameOf(batch[0]) === 'IM0') throw new ApiError(413, 'too_large', 'The upload is too large');
    return batch.map(() => stored);
  });
  const { queue, pauses } = queueWith({ send });
  queue.add(files(100));

  await queue.start(delivery);

  expect(send).toHaveBeenCalledTimes(2);
  expect(pauses).toEqual([]);
  expect(counts(queue)).toMatchObject({ uploaded: 50, failed: 50 });
  expect(queue.snapshot().items[0]?.reason).toBe('The upload is too large');
});

test('if a file was deleted from the disk, only this file fails', async () => {
  const { queue } = queueWith({
    send: async (batch) => {
      if (batch.some((sent) => nameOf(sent) === 'IM1')) throw silence();
      return batch.map(() => stored);
    },
    isReadable: async (body) => nameOf({ body }) !== 'IM1',
  });
  queue.add(files(3));

  await queue.start(delivery);

  expect(counts(queue)).toMatchObject({ uploaded: 2, failed: 1 });
  expect(queue.snapshot().items[1]?.reason).toBe('The file was moved, changed or deleted. Choose it again');
});

test('when the session ends, the upload stops and no file counts as failed', async () => {
  const { queue } = queueWith({
    send: async () => {
      throw new ApiError(401, 'session.ended', 'Please sign in');
    },
  });
  queue.add(files(60));

  await queue.start(delivery);

  expect(counts(queue)).toEqual({ pending: 60, uploading: 0, uploaded: 0, failed: 0 });
});

test('canceling returns files being sent to the list, and a later start sends them', async () => {
  let isFirstRun = true;
  const { queue } = queueWith({
    send: (batch, { signal }) =>
      isFirstRun
        ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
        : Promise.resolve(batch.map(() => stored)),
  });
  queue.add(files(60));

  const running = queue.start(delivery);
  queue.cancel();
  await running;

  expect(counts(queue)).toEqual({ pending: 60, uploading: 0, uploaded: 0, failed: 0 });

  isFirstRun = false;
  await queue.start(delivery);

  expect(counts(queue)).toMatchObject({ uploaded: 60 });
});

test('canceling also stops a batch that waits to be sent again', async () => {
  const send = vi.fn<UploadPorts['send']>(async () => {
    throw silence();
  });
  const { queue } = queueWith({ send, pause: async () => queue.cancel() });
  queue.add(files(1));

  await queue.start(delivery);

  expect(send).toHaveBeenCalledTimes(1);
  expect(counts(queue)).toMatchObject({ pending: 1, failed: 0 });
});

test('the retry sends only failed files', async () => {
  let isBroken = true;
  const sent: string[] = [];
  const { queue } = queueWith({
    send: async (batch) => {
      sent.push(...batch.map(nameOf));
      return batch.map((sent) =>
        isBroken && nameOf(sent) === 'IM1' ? { isStored: false, reason: 'The disk is full.' } : stored,
      );
    },
  });
  queue.add(files(3));
  await queue.start(delivery);
  isBroken = false;
  sent.length = 0;

  await queue.retryFailed(delivery);

  expect(sent).toEqual(['IM1']);
  expect(counts(queue)).toMatchObject({ uploaded: 3, failed: 0 });
});

test('a file chosen twice counts once, but a file with the same name in another folder counts separately', () => {
  const { queue } = queueWith();
  const first = file('A/IM1');

  expect(queue.add([first, first])).toEqual([first]);
  expect(queue.add([first, file('B/IM1')])).toEqual([first]);
  expect(counts(queue)).toMatchObject({ pending: 2 });
});

test('a file with the same path and size from another disc is another file and is sent', async () => {
  const sent: string[] = [];
  const { queue } = queueWith({
    send: async (batch) => {
      sent.push(...batch.map(nameOf));
      return batch.map(() => stored);
    },
  });
  const ofDisc = (sopInstanceUID: string): ChosenFile => ({
    ...file('DICOM/S1/IM0001'),
    summary: instanceSummary({ sopInstanceUID }),
  });
  queue.add([ofDisc('2.25.31')]);
  await queue.start(delivery);

  expect(queue.add([ofDisc('2.25.32')])).toEqual([]);
  expect(counts(queue)).toMatchObject({ pending: 1, uploaded: 1 });

  await queue.start(delivery);

  expect(sent).toEqual(['DICOM/S1/IM0001', 'DICOM/S1/IM0001']);
});

test('a file without a readable header is identified by the time of its last change', () => {
  const { queue } = queueWith();
  const changedAt = (modified: number): ChosenFile => ({
    source: { ...sourceOf('IM0001'), modified },
    summary: undefined,
  });
  const [earlier, later] = [changedAt(1_790_000_000_000), changedAt(1_790_000_060_000)];

  expect(queue.add([earlier, later])).toEqual([]);
  expect(queue.add([later])).toEqual([later]);
});

test('the progress counts the bytes being sent in all batches', async () => {
  const { outcomes, release } = heldUpload();
  const { queue } = queueWith({
    send: (batch, { onProgress }) => {
      onProgress(250);
      return batch.length > 0 ? outcomes : Promise.resolve([]);
    },
  });
  queue.add(files(2, 500));

  const running = queue.start(delivery);
  await until(() => queue.snapshot().sentBytes > 0);

  expect(queue.snapshot()).toMatchObject({ isRunning: true, sentBytes: 250, totalBytes: 1000 });

  release([stored, stored]);
  await running;

  expect(queue.snapshot()).toMatchObject({ isRunning: false, sentBytes: 1000, totalBytes: 1000 });
});

test('clearing or removing files keeps the files that are being sent', async () => {
  const { outcomes, release } = heldUpload();
  const { queue } = queueWith({ send: () => outcomes });
  queue.add(files(1));
  const running = queue.start(delivery);

  queue.clear();
  queue.remove(queue.snapshot().items[0]?.id ?? 0);

  expect(counts(queue)).toMatchObject({ uploading: 1 });

  release([stored]);
  await running;
  queue.clear();

  expect(queue.snapshot().items).toEqual([]);
});

test('a batch is sent again after an internal server error', async () => {
  let tries = 0;
  const { queue, pauses } = queueWith({
    send: async (batch) => {
      tries += 1;
      if (tries === 1) throw new ApiError(500, 'internal', 'Something went wrong');
      return batch.map(() => stored);
    },
  });
  queue.add(files(1));

  await queue.start(delivery);

  expect(pauses).toEqual([1000]);
  expect(counts(queue)).toMatchObject({ uploaded: 1 });
});

test('when the archive is full, the upload stops with a message, and no file counts as failed', async () => {
  const { queue, pauses } = queueWith({
    send: async () => {
      throw new ApiError(507, 'store.full', 'The disk is full.');
    },
  });
  queue.add(files(400));

  await queue.start(delivery);

  expect(pauses).toEqual([]);
  expect(counts(queue)).toEqual({ pending: 400, uploading: 0, uploaded: 0, failed: 0 });
  expect(queue.snapshot().interruption).toBe('The disk is full.');
});

test('after a pause, batches being sent finish, and a later start sends the other files', async () => {
  const { queue } = queueWith({
    send: async (batch) => {
      queue.pause();
      return batch.map(() => stored);
    },
  });
  queue.add(files(400));

  await queue.start(delivery);

  expect(counts(queue)).toEqual({ pending: 250, uploading: 0, uploaded: 150, failed: 0 });
  expect(queue.snapshot()).toMatchObject({ isRunning: false, isPausing: false, interruption: undefined });
});

test('if a file cannot be prepared, only this file fails, with its reason', async () => {
  const { queue } = queueWith();
  queue.add(files(3));

  await queue.start({
    ...delivery,
    prepare: async ({ source }) => {
      if (source.name === 'IM1') throw new SourceProblem('Damaged inside the ZIP file');
      return source.open();
    },
  });

  expect(counts(queue)).toMatchObject({ uploaded: 2, failed: 1 });
  expect(queue.snapshot().items[1]).toMatchObject({ state: 'Failed', reason: 'Damaged inside the ZIP file' });
});

test('only acknowledged files are reported as stored', async () => {
  const { queue } = queueWith({ send: async () => [stored, { isStored: false, reason: 'no' }] });
  const reported: string[] = [];
  queue.add(files(2));

  await queue.start({ ...delivery, onStored: (items) => reported.push(...items.map(({ source }) => source.name)) });

  expect(reported).toEqual(['IM0']);
});
