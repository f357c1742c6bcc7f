import { expect, test, vi } from 'vitest';
import { ApiError } from '#core/http/api.ts';
import { until } from '#test/eventually.ts';
import {
  chosenFiles,
  counts,
  delivery,
  nameOf,
  queueWith,
  sentWithoutAnswer,
  silence,
  stored,
} from '#test/upload-queue.ts';
import type { UploadPorts } from './upload-ports.ts';

/** Fails the batch that contains the first file. Never answers the other batches. */
const firstBatch =
  (error: ApiError): UploadPorts['send'] =>
  async (batch, options) => {
    if (!batch.some((sent) => nameOf(sent) === 'IM0')) return sentWithoutAnswer(batch, options);
    throw error;
  };

test('after canceling, files that were being sent may have arrived, but waiting files have not', async () => {
  const send = vi.fn<UploadPorts['send']>(sentWithoutAnswer);
  const { queue } = queueWith({ send });
  queue.add(chosenFiles(160));

  const running = queue.start(delivery);
  await until(() => send.mock.calls.length === 3);
  queue.cancel();
  await running;

  expect(counts(queue)).toEqual({ pending: 160, uploading: 0, uploaded: 0, failed: 0 });
  expect(queue.snapshot()).toMatchObject({ hasSent: true, unsureFiles: 150 });
  expect(queue.snapshot().items.findIndex(({ mayHaveArrived }) => !mayHaveArrived)).toBe(150);
});

test('an upload canceled before the first batch has sent nothing', async () => {
  const { queue } = queueWith();
  queue.add(chosenFiles(3));

  const running = queue.start(delivery);
  queue.cancel();
  await running;

  expect(counts(queue)).toMatchObject({ pending: 3 });
  expect(queue.snapshot()).toMatchObject({ hasSent: false, unsureFiles: 0 });
});

test('when one batch loses its connection, files of other batches in transfer may also have arrived', async () => {
  const { queue } = queueWith({ send: firstBatch(silence()) });
  queue.add(chosenFiles(400));

  await queue.start(delivery);

  expect(counts(queue)).toEqual({ pending: 350, uploading: 0, uploaded: 0, failed: 50 });
  expect(queue.snapshot()).toMatchObject({ unsureFiles: 150, interruption: 'No response received from server' });
});

test('files of a refused batch have not arrived, and files of other batches may have arrived', async () => {
  const { queue } = queueWith({ send: firstBatch(new ApiError(401, 'session.ended', 'Please sign in')) });
  queue.add(chosenFiles(400));

  await queue.start(delivery);

  expect(queue.snapshot().unsureFiles).toBe(100);
});

test('a file that may have arrived stays marked until the server gives an answer about it', async () => {
  let isAnswering = false;
  const send = vi.fn<UploadPorts['send']>(async (batch, options) =>
    isAnswering ? batch.map(() => stored) : sentWithoutAnswer(batch, options),
  );
  const { queue } = queueWith({ send });
  queue.add(chosenFiles(2));
  const running = queue.start(delivery);
  await until(() => send.mock.calls.length === 1);
  queue.cancel();
  await running;

  const cancelledAtOnce = queue.start(delivery);
  queue.cancel();
  await cancelledAtOnce;
  expect(queue.snapshot().unsureFiles).toBe(2);

  isAnswering = true;
  await queue.start(delivery);
  expect(counts(queue)).toMatchObject({ uploaded: 2 });
  expect(queue.snapshot().unsureFiles).toBe(0);
});

test('a file that was deleted from the disk has not arrived', async () => {
  const { queue } = queueWith({
    send: async () => {
      throw silence();
    },
    isReadable: async () => false,
  });
  queue.add(chosenFiles(1));

  await queue.start(delivery);

  expect(counts(queue)).toMatchObject({ failed: 1 });
  expect(queue.snapshot().unsureFiles).toBe(0);
});

test('after clearing the list, no file counts as sent', async () => {
  const { queue } = queueWith();
  queue.add(chosenFiles(2));
  await queue.start(delivery);

  queue.clear();
  queue.add(chosenFiles(2));

  expect(queue.snapshot().hasSent).toBe(false);
});
