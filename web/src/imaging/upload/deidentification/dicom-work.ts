import { type Change, type Pseudonym } from '@radwork/dicom/deidentify';
import { deidentifyFile } from '@radwork/dicom/deidentify-file';
import { DicomError, type DicomFault, NeedMoreBytes } from '@radwork/dicom/dicom-error';
import { type InstanceSummary, isDicomdir, referencedFiles, summaryOf } from '@radwork/dicom/instance-summary';
import { bytesOf } from '@radwork/dicom/raw-blob';
import { readRawFile } from '@radwork/dicom/raw-data-set';
import { ReplacedUids } from '@radwork/dicom/replaced-uids';

/** Kind of a file, decided by its content. */
export type Inspection =
  | { kind: 'instance'; summary: InstanceSummary }
  | { kind: 'directory'; references: string[] }
  /** DICOM with a header that cannot be read here. The archive may be able to read it, or give a reason. */
  | { kind: 'damaged' }
  | { kind: 'other' }
  /** More bytes are needed, because the header is longer than the given bytes. */
  | { kind: 'more'; wanted: number };

export type Deidentification =
  | { kind: 'deidentified'; blob: Blob; changes: Change[] }
  | { kind: 'refused'; fault: DicomFault };

export type WorkRequest =
  | { kind: 'inspect'; head: Blob; size: number }
  | { kind: 'deidentify'; file: Blob; pseudonym: Pseudonym };

/** Work of the worker for one upload: reads and de-identifies files. Equal UIDs get equal new UIDs in all files. */
export class DicomWork {
  readonly #uids = new ReplacedUids();

  readonly answer = (request: WorkRequest): Promise<Inspection | Deidentification> =>
    request.kind === 'inspect'
      ? inspect(request.head, request.size)
      : this.#deidentify(request.file, request.pseudonym);

  async #deidentify(file: Blob, pseudonym: Pseudonym): Promise<Deidentification> {
    try {
      return { kind: 'deidentified', ...(await deidentifyFile(file, { pseudonym, uids: this.#uids })) };
    } catch (error) {
      if (error instanceof DicomError) return { kind: 'refused', fault: error.fault };
      throw error;
    }
  }
}

const inspect = async (head: Blob, size: number): Promise<Inspection> => {
  try {
    const raw = readRawFile(await bytesOf(head), size);
    if (isDicomdir(raw)) return { kind: 'directory', references: referencedFiles(raw) };
    return { kind: 'instance', summary: summaryOf(raw) };
  } catch (error) {
    if (error instanceof NeedMoreBytes) return { kind: 'more', wanted: error.needed };
    if (!(error instanceof DicomError)) throw error;
    return error.code === 'NOT_DICOM' ? { kind: 'other' } : { kind: 'damaged' };
  }
};

export type WorkerRequest = { id: number; request: WorkRequest };
/** Response of the worker. `answer` is undefined after an internal error of the worker. */
export type WorkerAnswer = { id: number; answer: Inspection | Deidentification | undefined };
