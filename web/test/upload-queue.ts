import type { FileOutcome } from '#core/http/upload.ts';
import { ApiError } from '#core/http/api.ts';
import type { ChosenFile } from '#imaging/upload/choosing/recognize-files.ts';
import type { Delivery, UploadPorts } from '#imaging/upload/queue/upload-ports.ts';
import { UploadQueue } from '#imaging/upload/queue/upload-queue.ts';
import { instanceSummary, sourceOf } from './upload.ts';

export const stored: FileOutcome = { isStored: true, studyId: 'd9f0' };
export const silence = () => new ApiError(0, 'answer.missing', 'No response received from server');

export const chosenFile = (name: string, bytes = 4): ChosenFile => ({
  source: sourceOf(name, bytes),
  summary: instanceSummary(),
});
export const chosenFiles = (count: number, bytes?: number) =>
  Array.from({ length: count }, (_, index) => chosenFile(`IM${index}`, bytes));

/** Delivery options that send files unchanged. */
export const delivery: Delivery = { prepare: ({ source }) => source.open(), onStored: () => {} };

/** Name of a file being sent. */
export const nameOf = ({ body }: { body: Blob }) => (body instanceof File ? body.name : '');

/** Returns an upload queue in which everything works, unless the test replaces a port. */
export const queueWith = (ports: Partial<UploadPorts> = {}) => {
  const pauses: number[] = [];
  const queue = new UploadQueue({
    send: async (batch) => batch.map(() => stored),
    pause: async (milliseconds) => void pauses.push(milliseconds),
    isReadable: async () => true,
    now: () => 0,
    ...ports,
  });
  return { queue, pauses };
};

export const counts = (queue: UploadQueue) => {
  const { Pending, Uploading, Uploaded, Failed } = queue.snapshot().totals;
  return { pending: Pending.files, uploading: Uploading.files, uploaded: Uploaded.files, failed: Failed.files };
};

/** Never answers, and rejects when the upload is canceled. The body may have arrived. */
export const sentWithoutAnswer: UploadPorts['send'] = (_, { signal }) =>
  new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(new DOMException('The upload was cancelled', 'AbortError'))),
  );
