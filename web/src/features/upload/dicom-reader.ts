import type { Pseudonym } from '@radwork/dicom/deidentify';
import { startWorker } from '#core/start-worker.ts';
import type { Deidentification, Inspection, WorkRequest } from './dicom-work.ts';
// Vite makes its address of it.
// oxlint-disable-next-line import/default
import dicomWorker from './dicom-worker.ts?worker&url';
import { type Source, SourceProblem } from './source.ts';

export type Asked = { id: number; request: WorkRequest };
/** Without an answer the worker met a fault of its own. */
export type Told = { id: number; answer: Inspection | Deidentification | undefined };

/** Looks into files and de-identifies them, for one upload: new UIDs are the same for all files that one of these sees. */
export type DicomReader = {
  /** What the file is; reads no more of it than its header. Rejects when it cannot be read. */
  inspect: (source: Source) => Promise<Exclude<Inspection, { kind: 'more' }>>;
  /** The file without what identifies its patient. Rejects with SourceProblem when that cannot be done. */
  deidentify: (file: Blob, pseudonym: Pseudonym) => Promise<Extract<Deidentification, { kind: 'deidentified' }>>;
  /** From then on it answers nobody. */
  close: () => void;
};

type Answer = Inspection | Deidentification;
type Waiting = { resolve: (answer: Answer) => void; reject: (error: Error) => void };

/** How much of a file is looked at first; nearly every header fits. */
const firstRead = 64 * 1024;

const fault = () => new SourceProblem('The browser could not look into it: reload this page and choose it again');

/** Starts the worker that does this. */
export const startDicomReader = (): DicomReader => {
  const worker = startWorker(dicomWorker);
  const waiting = new Map<number, Waiting>();
  let nextId = 1;
  worker.onmessage = ({ data: { id, answer } }: MessageEvent<Told>) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (answer) asker?.resolve(answer);
    else asker?.reject(fault());
  };
  const giveUp = () => {
    for (const { reject } of waiting.values()) reject(fault());
    waiting.clear();
  };
  // The new UIDs died with it: going on with others would tear series apart.
  let isDead = false;
  worker.onerror = () => {
    isDead = true;
    giveUp();
  };
  const ask = (request: WorkRequest) =>
    new Promise<Answer>((resolve, reject) => {
      if (isDead) return reject(fault());
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      const asked: Asked = { id, request };
      worker.postMessage(asked);
    });
  return readerOf(ask, () => {
    worker.terminate();
    isDead = true;
    giveUp();
  });
};

/** The reader over whatever answers its questions. */
export const readerOf = (ask: (request: WorkRequest) => Promise<Answer>, close: () => void): DicomReader => ({
  inspect: async (source) => {
    for (let wanted = firstRead; ;) {
      const head = await source.head(wanted);
      const answer = await ask({ kind: 'inspect', head, size: source.size });
      if (answer.kind === 'deidentified' || answer.kind === 'refused') throw fault();
      if (answer.kind !== 'more') return answer;
      if (answer.wanted <= wanted) throw fault();
      wanted = answer.wanted;
    }
  },
  deidentify: async (file, pseudonym) => {
    const answer = await ask({ kind: 'deidentify', file, pseudonym });
    if (answer.kind === 'deidentified') return answer;
    throw answer.kind === 'refused' ? new SourceProblem(answer.reason) : fault();
  },
  close,
});
