import { t } from '@lingui/core/macro';
import { sentenceOfFault } from '@radwork/contract/imaging/file-faults';
import type { Pseudonym } from '@radwork/dicom/deidentify';
import { startWorker } from '#core/browser/start-worker.ts';
import type { WorkerRequest, Deidentification, Inspection, WorkerAnswer, WorkRequest } from './dicom-work.ts';
// Vite replaces this import by the URL of the worker.
// oxlint-disable-next-line import/default
import dicomWorker from './dicom-worker.ts?worker&url';
import { type FileSource, SourceProblem } from '#imaging/upload/choosing/file-source.ts';

/** Reads and de-identifies the files of one upload. Equal UIDs in these files get equal new UIDs. */
export type DicomReader = {
  /** Returns the kind of a file, from its header alone. Rejects if the file cannot be read. */
  inspect: (source: FileSource) => Promise<Exclude<Inspection, { kind: 'more' }>>;
  /** Returns the file without identifying data. Rejects with SourceProblem if this fails. */
  deidentify: (file: Blob, pseudonym: Pseudonym) => Promise<Extract<Deidentification, { kind: 'deidentified' }>>;
  /** Ends the worker. Pending and later requests reject. */
  close: () => void;
};

type Answer = Inspection | Deidentification;
type PendingAnswer = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

/** Number of bytes to read first. Nearly every header fits. */
const firstRead = 64 * 1024;

const fault = () =>
  new SourceProblem(t`The browser could not read the file. Reload this page and choose the file again`);

/** Starts a worker and returns its DicomReader. */
export const startDicomReader = (): DicomReader => {
  const worker = startWorker(dicomWorker);
  const waiting = new Map<number, PendingAnswer>();
  let nextId = 1;
  worker.onmessage = ({ data: { id, answer } }: MessageEvent<WorkerAnswer>) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (answer) asker?.resolve(answer);
    else asker?.reject(fault());
  };
  const rejectPending = () => {
    for (const { reject } of waiting.values()) reject(fault());
    waiting.clear();
  };
  // Whether the worker has died. It is not restarted, because its table of new UIDs is lost. Different new UIDs would
  // split a series.
  let isDead = false;
  worker.onerror = () => {
    isDead = true;
    rejectPending();
  };
  const postRequest = (request: WorkRequest) =>
    new Promise<Answer>((resolve, reject) => {
      if (isDead) return reject(fault());
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      const message: WorkerRequest = { id, request };
      worker.postMessage(message);
    });
  return readerOf(postRequest, () => {
    worker.terminate();
    isDead = true;
    rejectPending();
  });
};

/** Creates a reader that sends its requests with the given function. */
export const readerOf = (postRequest: (request: WorkRequest) => Promise<Answer>, close: () => void): DicomReader => ({
  inspect: async (source) => {
    for (let length = firstRead; ;) {
      const head = await source.head(length);
      const answer = await postRequest({ kind: 'inspect', head, size: source.size });
      if (answer.kind === 'deidentified' || answer.kind === 'refused') throw fault();
      if (answer.kind !== 'more') return answer;
      if (answer.wanted <= length) throw fault();
      length = answer.wanted;
    }
  },
  deidentify: async (file, pseudonym) => {
    const answer = await postRequest({ kind: 'deidentify', file, pseudonym });
    if (answer.kind === 'deidentified') return answer;
    throw answer.kind === 'refused' ? new SourceProblem(sentenceOfFault(answer.fault)) : fault();
  },
  close,
});
