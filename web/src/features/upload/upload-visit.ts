import { readSession } from '#core/session.ts';
import { storeFiles } from '#core/upload.ts';
import { DeidentificationPlan } from './deidentification-plan.ts';
import { type DicomReader, startDicomReader } from './dicom-reader.ts';
import { PatientsOfStudies } from './patients-of-studies.ts';
import { UploadQueue } from './upload-queue.ts';

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** A browser keeps only a reference to a chosen file; reading one byte tells whether it still leads anywhere. */
const isReadable = (file: Blob) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** What one person has on the upload screen: the list, and what is to be done to its files on the way. */
export class UploadVisit {
  readonly owner = ownerNow();
  readonly queue = new UploadQueue({ send: storeFiles, pause, isReadable, now: () => performance.now() });
  readonly plan = new DeidentificationPlan(() => this.reader());
  readonly patients = new PatientsOfStudies();
  #reader: DicomReader | undefined;

  /** Started when first needed. One upload has one: it holds the new UIDs. */
  readonly reader = (): DicomReader => (this.#reader ??= startDicomReader());

  /** Empties the list; the next one is another upload, with other UIDs and names. */
  clear() {
    this.queue.clear();
    this.plan.forget();
    this.patients.forget();
    this.#reader?.close();
    this.#reader = undefined;
  }
}

const ownerNow = () => {
  const session = readSession();
  return session && `${session.tenant.subdomain} ${session.user.id}`;
};

let kept: UploadVisit | undefined;

/** A new visit; or the one that an ended session broke off, for the same person and nobody else. */
export const beginVisit = (): UploadVisit => {
  const earlier = kept;
  kept = undefined;
  if (earlier && earlier.owner === ownerNow()) return earlier;
  earlier?.clear();
  return new UploadVisit();
};

/** Stops what is under way. The list is kept only for somebody whose session ended in the middle of it. */
export const endVisit = (visit: UploadVisit) => {
  const { isRunning, wasSignedOut } = visit.queue.snapshot();
  visit.queue.cancel();
  // The session is gone a moment before the queue hears why its last batch was refused.
  if (wasSignedOut || (isRunning && !readSession())) kept = visit;
  else visit.clear();
};
