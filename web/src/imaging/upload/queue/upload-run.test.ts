import { expect, test, vi } from 'vitest';
import { chosenFile, chosenFiles, counts, delivery, nameOf, queueWith, stored } from '#test/upload-queue.ts';
import type { UploadPorts } from './upload-ports.ts';

/** Returns a queue whose requests are recorded, and an archive whose responses the test controls. */
const world = () => {
  const send = vi.fn<UploadPorts['send']>(async (batch) => batch.map(() => stored));
  const { queue } = queueWith({ send });
  const { promise, resolve } = Promise.withResolvers<ReadonlySet<number>>();
  return {
    queue,
    send,
    sent: () => send.mock.calls.flatMap(([batch]) => batch.map(nameOf)),
    preparation: { ...delivery, findStored: () => promise },
    answerWith: (...ids: number[]) => resolve(new Set(ids)),
  };
};

test('an upload counts as running from the start, while it looks for stored files in the archive', async () => {
  const { queue, preparation, answerWith, sent } = world();
  queue.add([chosenFile('jane/IM1')]);

  const running = queue.start(preparation);
  expect(queue.snapshot()).toMatchObject({ isRunning: true, isChecking: true });
  queue.clear();
  answerWith();
  await running;

  expect(queue.snapshot()).toMatchObject({ isRunning: false, isChecking: false });
  expect(sent()).toEqual(['jane/IM1']);
});

test('files stored by an earlier upload count as uploaded and are not sent', async () => {
  const { queue, preparation, answerWith, sent } = world();
  queue.add(chosenFiles(3));
  const [first] = queue.snapshot().items;

  const running = queue.start(preparation);
  answerWith(first?.id ?? 0);
  await running;

  expect(sent()).toEqual(['IM1', 'IM2']);
  expect(queue.snapshot().items[0]).toMatchObject({ state: 'Uploaded', wasThere: true });
});

test('canceling during the look-up of stored files sends nothing, even after two starts', async () => {
  const { queue, preparation, answerWith, send } = world();
  queue.add(chosenFiles(2));

  const running = Promise.all([queue.start(preparation), queue.start(preparation)]);
  queue.cancel();
  answerWith(queue.snapshot().items[0]?.id ?? 0);
  await running;

  expect(send).not.toHaveBeenCalled();
  expect(counts(queue)).toMatchObject({ pending: 2, uploaded: 0 });
});

test('a failed look-up of stored files ends the upload, and the next upload works', async () => {
  const { queue, send } = world();
  queue.add(chosenFiles(1));

  const broken = queue.start({ ...delivery, findStored: () => Promise.reject(new Error('no cryptography')) });
  await expect(broken).rejects.toThrow('no cryptography');
  expect(queue.snapshot().isRunning).toBe(false);
  await queue.start(delivery);

  expect(send).toHaveBeenCalledTimes(1);
});

test('files chosen during the look-up of stored files wait for the next start', async () => {
  const { queue, preparation, answerWith, sent } = world();
  queue.add([chosenFile('jane/IM1')]);

  const running = queue.start(preparation);
  queue.add([chosenFile('richard/IM1')]);
  answerWith();
  await running;

  expect(sent()).toEqual(['jane/IM1']);
  expect(counts(queue)).toMatchObject({ pending: 1, uploaded: 1 });
});

test('files chosen while others are sent wait, and do not count in the progress', async () => {
  const { queue, send, sent } = world();
  queue.add([chosenFile('jane/IM1')]);
  send.mockImplementationOnce(async (batch) => {
    queue.add([chosenFile('richard/IM1')]);
    expect(queue.snapshot()).toMatchObject({ laterFiles: 1, totalBytes: 4 });
    return batch.map(() => stored);
  });

  await queue.start(delivery);
  expect(sent()).toEqual(['jane/IM1']);
  expect(queue.snapshot()).toMatchObject({ laterFiles: 0, totalBytes: 8 });

  await queue.start(delivery);
  expect(sent()).toEqual(['jane/IM1', 'richard/IM1']);
});
