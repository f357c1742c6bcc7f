import { archive } from '@radwork/contract/archive';
import { ApiError } from '#core/api.ts';
import { type KeptSession, may, readSession } from '#core/session.ts';
import { toast } from '#core/toasts.ts';
import { storeFiles } from '#core/upload.ts';
import type { Found, LeftOut } from './chosen-files.ts';
import { DeidentificationPlan } from './deidentification-plan.ts';
import { type DicomReader, startDicomReader } from './dicom-reader.ts';
import type { MissingOfDisc } from './disc-directory.ts';
import { PatientsOfStudies } from './patients-of-studies.ts';
import { type Chosen, recognise } from './recognise.ts';
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

/** A browser keeps only a reference to a chosen file; reading one byte tells whether it still leads anywhere. */
const isReadable = (file: Blob) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** What is said of the files that were chosen. */
export type ChoiceNotes = {
  leftOut: readonly LeftOut[];
  unreadable: readonly LeftOut[];
  /** What was chosen again. */
  repeated: readonly LeftOut[];
  missing: readonly MissingOfDisc[];
  problems: readonly string[];
};
export const noNotes: ChoiceNotes = { leftOut: [], unreadable: [], repeated: [], missing: [], problems: [] };

const lookingBrokenOff =
  'Files were still being looked into when this screen closed, and none of them is in the list. Choose them once more.';

/** What else the screen shows. */
type Shown = { notes: ChoiceNotes; studyUid: string };

/** Of whom a visit is; also which organisation's, for somebody may be in several. */
export const ownerOf = (session: KeptSession | undefined): string | undefined =>
  session && `${session.tenant.subdomain} ${session.user.id}`;

const ownerNow = () => ownerOf(readSession());

/** What one person has on the upload screen: the list, and what is to be done to its files on the way. */
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
  /** The choices that are being looked into. */
  readonly #choices = new Set<symbol>();
  #shown: Shown = { notes: noNotes, studyUid: '' };

  /** Started when first needed. One upload has one: it holds the new UIDs. */
  readonly reader = (): DicomReader => (this.#reader ??= startDicomReader());

  /** What was chosen; nothing when the list that it was meant for has been cleared or left meanwhile. */
  readonly lookInto = async (
    found: AsyncIterable<Found> | Iterable<Found>,
    onFound: (count: number) => void,
  ): Promise<Chosen | undefined> => {
    const choice = Symbol('choice');
    const isOver = () => !this.#choices.has(choice);
    this.#choices.add(choice);
    try {
      const chosen = await recognise(found, this.reader(), onFound, isOver);
      return isOver() ? undefined : chosen;
    } finally {
      this.#choices.delete(choice);
    }
  };

  /** Whether files are being looked into. */
  readonly isLooking = () => this.#choices.size > 0;

  /**
   * Gives up the choices that are being looked into, and notes it: the next screen would not know what they found. The
   * reader stays open, for the new UIDs of what has been sent are in it.
   */
  breakOffLooking() {
    if (!this.isLooking()) return;
    this.#choices.clear();
    const { notes } = this.#shown;
    const problems = [...new Set([...notes.problems, lookingBrokenOff])];
    this.keep({ ...this.#shown, notes: { ...notes, problems } });
  }

  /** What else the screen showed, when the visit goes on. */
  readonly shown = () => this.#shown;

  keep(shown: Shown) {
    this.#shown = shown;
  }

  /** Empties the list; the next one is another upload, with other UIDs and names. */
  clear() {
    this.queue.clear();
    this.plan.forget();
    this.patients.forget();
    this.#choices.clear();
    this.#reader?.close();
    this.#reader = undefined;
  }

  /** Nothing goes in the name of whoever signed in after its owner. */
  readonly #send: UploadPorts['send'] = async (files, options) => {
    const owner = ownerNow();
    if (owner && owner !== this.owner) {
      throw new ApiError(401, 'session.changed', 'Somebody else has signed in in this browser');
    }
    return storeFiles(files, options);
  };
}

let kept: UploadVisit | undefined;

/** A new visit; or the one that was broken off without its owner's doing, for them and nobody else. */
export const beginVisit = (): UploadVisit => {
  const earlier = kept;
  kept = undefined;
  if (earlier && earlier.owner === ownerNow()) return earlier;
  earlier?.clear();
  return new UploadVisit();
};

/**
 * Stops what is under way. The list is kept for somebody who did not leave by themselves: their session ended, they may
 * no longer upload, or somebody else has signed in.
 */
export const endVisit = (visit: UploadVisit) => {
  const { isRunning, items } = visit.queue.snapshot();
  const isTheirs = visit.owner === ownerNow();
  visit.queue.cancel();
  const isEmpty = items.length === 0 && !visit.isLooking();
  if (isEmpty || (isTheirs && may(archive.store))) return visit.clear();
  visit.breakOffLooking();
  kept?.clear();
  kept = visit;
  if (isTheirs && isRunning) {
    toast.failure('The upload stopped, because you may no longer upload. Ask an administrator; your list is kept.');
  }
};
