import type { Pseudonym } from '@radwork/dicom/deidentify';
import { type DeidentificationState, type KindOfChanges, newPseudonym, withChanges } from './deidentification.ts';
import type { DicomReader } from './dicom-reader.ts';
import { SourceProblem } from './source.ts';
import { type Patient, patientsOf, studyGroups } from './study-groups.ts';
import type { UploadItem } from './upload-item.ts';

const fresh: DeidentificationState = { isOn: false, pseudonyms: new Map(), areNamesSaved: false };

/** Whether and how the files of one upload are de-identified before they leave the browser. Nothing of it is stored. */
export class DeidentificationPlan {
  readonly #reader: () => DicomReader;
  readonly #listeners = new Set<() => void>();
  /** Whose files have been handed over under new names: they may have arrived, whatever becomes of the list of files. */
  readonly #handedOver = new Map<string, Patient>();
  /** Who is in the list of names that was saved, as they are now. */
  readonly #saved = new Set<string>();
  /** A file that is sent a second time is changed a second time, and counted once. */
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

  /** Gives every patient that has none a new name and ID. */
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

  /** Whom the list of names has to lead back to: those of the list of files, and those of whom files were handed over. */
  toBeNamed(listed: readonly Patient[]): Patient[] {
    const all = new Map([...this.#handedOver, ...listed.map((patient) => [patient.patientKey, patient] as const)]);
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

  /** The bytes of a file that may leave the browser. Rejects with SourceProblem when it cannot be cleaned. */
  async prepare(item: UploadItem): Promise<Blob> {
    const { blob, changes } = await this.#clean(item);
    if (!this.#counted.has(item.id)) this.#done = withChanges(this.#done, kindOf(item), changes);
    this.#counted.add(item.id);
    for (const patient of patientsOf(studyGroups([item]))) this.#handedOver.set(patient.patientKey, patient);
    return blob;
  }

  /** What has been changed so far, by kind of file. Nobody is told of every single file. */
  readonly done = () => this.#done;

  /** What would be changed, tried on one file of each kind. Files that cannot be read show their problem when sent. */
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
    if (!pseudonym) throw new SourceProblem('The browser cannot read it, so it cannot be de-identified');
    return this.#reader().deidentify(await source.open(), pseudonym);
  }

  #set(state: DeidentificationState) {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

const kindOf = ({ summary }: UploadItem) => summary?.modality || 'Other';

/** Whether rules about attributes can make the file safe to give away. */
export const isCleanable = ({ summary }: UploadItem): boolean => summary !== undefined && !summary.uncleanable;
