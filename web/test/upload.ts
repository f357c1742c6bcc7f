import type { InstanceSummary } from '@radwork/dicom/instance-summary';
import type { WorkerRequest, WorkerAnswer } from '#imaging/upload/deidentification/dicom-work.ts';
import { readerOf } from '#imaging/upload/deidentification/dicom-reader.ts';
import { DicomWork } from '#imaging/upload/deidentification/dicom-work.ts';
import { type FileSource, sourceOfFile } from '#imaging/upload/choosing/file-source.ts';
import type { UploadItem } from '#imaging/upload/queue/upload-item.ts';

/** Returns a chosen file with these bytes, or with this number of arbitrary bytes. */
export const sourceOf = (name: string, content: number | Uint8Array = 4): FileSource => {
  const bytes = typeof content === 'number' ? new Uint8Array(content).fill(120) : new Uint8Array(content);
  return sourceOfFile(new File([bytes], name, { lastModified: 1_790_000_000_000 }), name);
};

/** Returns the header summary of a CT image. */
export const instanceSummary = (differences: Partial<InstanceSummary> = {}): InstanceSummary => ({
  studyInstanceUID: '2.25.1',
  seriesInstanceUID: '2.25.2',
  sopInstanceUID: '2.25.3',
  patientName: 'Phantom, Ada',
  patientID: 'P-1',
  issuerOfPatientID: '',
  comparableName: 'PHANTOM^ADA',
  patientKey: 'ada',
  birthDate: '',
  sex: '',
  studyDate: '2026-11-20',
  modality: 'CT',
  studyDescription: 'CT chest',
  uncleanable: undefined,
  mayShowText: false,
  ...differences,
});

let lastId = 0;

export const uploadItem = (name: string, differences: Partial<UploadItem> = {}): UploadItem => ({
  id: ++lastId,
  source: sourceOf(name),
  summary: instanceSummary(),
  state: 'Pending',
  ...differences,
});

/** Returns a DicomReader that works without a worker. */
export const readerHere = () => readerOf(new DicomWork().answer, () => {});

/** Simulates a Worker on the thread of the test. */
export class WorkerHere {
  onmessage: (event: { data: WorkerAnswer }) => void = () => {};
  onerror: () => void = () => {};
  readonly #work = new DicomWork();
  #isTerminated = false;
  postMessage({ id, request }: WorkerRequest) {
    const post = (message: WorkerAnswer) => {
      if (!this.#isTerminated) this.onmessage({ data: message });
    };
    this.#work.answer(request).then(
      (answer) => post({ id, answer }),
      () => post({ id, answer: undefined }),
    );
  }
  terminate() {
    this.#isTerminated = true;
  }
}
