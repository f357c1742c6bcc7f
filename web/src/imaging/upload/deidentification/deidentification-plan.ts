import { t } from '@lingui/core/macro';
import type { Pseudonym } from '@radwork/dicom/deidentify';
import { type DeidentificationState, type KindOfChanges, newPseudonym, withChanges } from './deidentification.ts';
import type { DicomReader } from './dicom-reader.ts';
import { SourceProblem } from '#imaging/upload/choosing/file-source.ts';
import { type Patient, patientsOf, studyGroups } from '#imaging/upload/lists/study-groups.ts';
import type { UploadItem } from '#imaging/upload/queue/upload-item.ts';

const fresh: DeidentificationState = { isOn: false, pseudonyms: new Map(), areNamesSaved: false };

/** Decides whether and how the browser de-identifies the files of one upload. Stores nothing. */
export class DeidentificationPlan {
  readonly #reader: () => DicomReader;
  readonly #listeners = new Set<() => void>();
  /**
   * Patients whose files were sent under new names. They are kept even if the file list changes, because the files may
   * have arrived.
   */
  readonly #handedOver = new Map<string, Patient>();
  /** Patients in the saved list of names, with the new names saved for them. */
  readonly #saved = new Set<string>();
  /** IDs of the files whose changes are counted. A file sent twice is counted once. */
  readonly #counted = new Set<number>();
  #done: readonly KindOfChanges[] = [];
  #state = fresh;

  constructor(reader: () => DicomReader) {
    this.#reader = reader;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = () => this.#state;

  switchTo(isOn: boolean) {
    this.#set({ ...this.#state, isOn });
  }

  /** Gives a new name and ID to every patient who does not have them yet. */
  coverAll(patientKeys: readonly string[]) {
    const { pseudonyms: known, areNamesSaved } = this.#state;
    if (areNamesSaved && patientKeys.some((key) => !this.#saved.has(key))) {
      this.#set({ ...this.#state, areNamesSaved: false });
    }
    const missing = patientKeys.filter((key) => !known.has(key));
    if (missing.length === 0) return;
    const pseudonyms = new Map(known);
    for (const key of missing) pseudonyms.set(key, newPseudonym());
    this.#set({ ...this.#state, pseudonyms });
  }

  rename(patientKey: string, pseudonym: Pseudonym) {
    this.#saved.delete(patientKey);
    const pseudonyms = new Map(this.#state.pseudonyms).set(patientKey, pseudonym);
    this.#set({ ...this.#state, pseudonyms, areNamesSaved: false });
  }

  /** Returns the patients for the list of names: those in the file list, and those whose files were sent. */
  toBeNamed(patients: readonly Patient[]): Patient[] {
    const all = new Map([...this.#handedOver, ...patients.map((patient) => [patient.patientKey, patient] as const)]);
    return [...all.values()];
  }

  noteNamesSaved(patients: readonly Patient[]) {
    for (const { patientKey } of patients) this.#saved.add(patientKey);
    this.#set({ ...this.#state, areNamesSaved: true });
  }

  forget() {
    this.#handedOver.clear();
    this.#saved.clear();
    this.#counted.clear();
    this.#done = [];
    this.#set(fresh);
  }

  /** Returns the bytes of a file without identifying data. Rejects with SourceProblem if this fails. */
  async prepare(item: UploadItem): Promise<Blob> {
    const { blob, changes } = await this.#clean(item);
    if (!this.#counted.has(item.id)) this.#done = withChanges(this.#done, kindOf(item), changes);
    this.#counted.add(item.id);
    for (const patient of patientsOf(studyGroups([item]))) this.#handedOver.set(patient.patientKey, patient);
    return blob;
  }

  /** Returns the changes so far, as sums by kind of file. */
  readonly done = () => this.#done;

  /**
   * Returns the expected changes, computed from one file of each kind. Skips files that cannot be read. When these are
   * sent, the problem is reported.
   */
  async preview(items: readonly UploadItem[]): Promise<KindOfChanges[]> {
    const samples = new Map(items.filter(isCleanable).map((item) => [kindOf(item), item]));
    let kinds: KindOfChanges[] = [];
    for (const [kind, item] of samples) {
      const cleaned = await this.#clean(item).catch(() => undefined);
      if (cleaned) kinds = withChanges(kinds, kind, cleaned.changes);
    }
    return kinds;
  }

  async #clean({ source, summary }: UploadItem) {
    const pseudonym = summary && this.#state.pseudonyms.get(summary.patientKey);
    if (!pseudonym) throw new SourceProblem(t`The browser cannot read the file, so the file cannot be de-identified`);
    return this.#reader().deidentify(await source.open(), pseudonym);
  }

  #set(state: DeidentificationState) {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const kindOf = ({ summary }: UploadItem) => summary?.modality || t`Other`;

/** Whether rules for attributes are enough to de-identify the file. */
export const isCleanable = ({ summary }: UploadItem): boolean => summary !== undefined && !summary.uncleanable;
