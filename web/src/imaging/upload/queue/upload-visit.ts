import { t } from '@lingui/core/macro';
import { archive } from '@radwork/contract/imaging/archive';
import { ApiError } from '#core/http/api.ts';
import { type StoredSession, may, readSession } from '#core/state/session.ts';
import { toast } from '#core/browser/toasts.ts';
import { storeFiles } from '#core/http/upload.ts';
import type { FoundFile, SkippedFile } from '#imaging/upload/choosing/chosen-files.ts';
import { DeidentificationPlan } from '#imaging/upload/deidentification/deidentification-plan.ts';
import { type DicomReader, startDicomReader } from '#imaging/upload/deidentification/dicom-reader.ts';
import type { MissingOfDisc } from '#imaging/upload/choosing/disc-directory.ts';
import { PatientsOfStudies } from '#imaging/upload/lists/patients-of-studies.ts';
import { type ChosenFiles, recognizeFiles } from '#imaging/upload/choosing/recognize-files.ts';
import type { UploadPorts } from './upload-ports.ts';
import { UploadQueue } from './upload-queue.ts';

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Whether a chosen file can still be read. Browsers hold only a reference to a file, so this reads one byte. */
const isReadable = (file: Blob) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** Notes about the chosen files. */
export type ChoiceNotes = {
  leftOut: readonly SkippedFile[];
  unreadable: readonly SkippedFile[];
  /** Files that the user has chosen before. */
  repeated: readonly SkippedFile[];
  missing: readonly MissingOfDisc[];
  problems: readonly string[];
};
export const noNotes: ChoiceNotes = { leftOut: [], unreadable: [], repeated: [], missing: [], problems: [] };

const lookingBrokenOff = t`This screen closed before all files were read. The files are not in the list. Choose them again.`;

/** State of the screen other than the list of files. */
type ScreenState = { notes: ChoiceNotes; studyUid: string };

/** Returns the owner of a visit: user and organization, because a user may belong to several organizations. */
export const ownerOf = (session: StoredSession | undefined): string | undefined =>
  session && `${session.tenant.subdomain} ${session.user.id}`;

const ownerNow = () => ownerOf(readSession());

/** State of the upload screen for one user: the list of files, and how to send them. */
export class UploadVisit {
  readonly owner = ownerNow();
  readonly queue = new UploadQueue({
    send: (files, options) => this.#send(files, options),
    pause,
    isReadable,
    now: () => performance.now(),
  });
  readonly plan = new DeidentificationPlan(() => this.reader());
  readonly patients = new PatientsOfStudies();
  #reader: DicomReader | undefined;
  /** Choices of files that are still being read. */
  readonly #choices = new Set<symbol>();
  #shown: ScreenState = { notes: noNotes, studyUid: '' };

  /**
   * Starts the reader when it is first needed. An upload has only one reader, because the reader holds the new UIDs.
   */
  readonly reader = (): DicomReader => (this.#reader ??= startDicomReader());

  /** Reads the chosen files. Returns undefined if meanwhile the list was cleared or the user left the screen. */
  readonly lookInto = async (
    files: AsyncIterable<FoundFile> | Iterable<FoundFile>,
    onFound: (count: number) => void,
  ): Promise<ChosenFiles | undefined> => {
    const choice = Symbol('choice');
    const isOver = () => !this.#choices.has(choice);
    this.#choices.add(choice);
    try {
      const chosenFiles = await recognizeFiles(files, this.reader(), onFound, isOver);
      return isOver() ? undefined : chosenFiles;
    } finally {
      this.#choices.delete(choice);
    }
  };

  /** Whether files are being read. */
  readonly isLooking = () => this.#choices.size > 0;

  /**
   * Drops the choices that are being read, because the next screen cannot receive their result. Records that they were
   * dropped. Keeps the reader, which holds the new UIDs of the files already sent.
   */
  breakOffLooking() {
    if (!this.isLooking()) return;
    this.#choices.clear();
    const { notes } = this.#shown;
    const problems = [...new Set([...notes.problems, lookingBrokenOff])];
    this.keep({ ...this.#shown, notes: { ...notes, problems } });
  }

  /** Returns the state of the screen other than the list of files, to restore it when the visit is resumed. */
  readonly shown = () => this.#shown;

  keep(shown: ScreenState) {
    this.#shown = shown;
  }

  /** Empties the list. The next list is another upload with other UIDs and names. */
  clear() {
    this.queue.clear();
    this.plan.forget();
    this.patients.forget();
    this.#choices.clear();
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Sends only while the owner is signed in, because files must not be sent as another user. */
  readonly #send: UploadPorts['send'] = async (files, options) => {
    const owner = ownerNow();
    if (owner && owner !== this.owner) {
      throw new ApiError(401, 'session.changed', t`Another user is now signed in to this browser`);
    }
    return storeFiles(files, options);
  };
}

let interruptedVisit: UploadVisit | undefined;

/** Returns the owner's interrupted visit, or a new visit. Never returns the visit of another user. */
export const beginVisit = (): UploadVisit => {
  const earlier = interruptedVisit;
  interruptedVisit = undefined;
  if (earlier && earlier.owner === ownerNow()) return earlier;
  earlier?.clear();
  return new UploadVisit();
};

/**
 * Stops the run. Keeps the list if the user did not leave on purpose: the session ended, the permission was withdrawn,
 * or another user signed in.
 */
export const endVisit = (visit: UploadVisit) => {
  const { isRunning, items } = visit.queue.snapshot();
  const isTheirs = visit.owner === ownerNow();
  visit.queue.cancel();
  const isEmpty = items.length === 0 && !visit.isLooking();
  if (isEmpty || (isTheirs && may(archive.store))) return visit.clear();
  visit.breakOffLooking();
  interruptedVisit?.clear();
  interruptedVisit = visit;
  if (isTheirs && isRunning) {
    toast.failure(
      t`The upload stopped because you no longer have the permission to upload. Ask an administrator. The files stay in the upload list.`,
    );
  }
};
