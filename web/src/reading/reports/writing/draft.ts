import { openPassagesIn } from '@radwork/contract/reading/drafting';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import type { Report } from '@radwork/contract/reading/reports';
import { forgetUnsaved, saveUnsaved, type UnsavedOwner } from '#core/state/unsaved-texts.ts';
import { isAutosaveOf } from '#reading/reports/autosaves/autosaves.ts';
import {
  type CopyState,
  deleteCopy,
  isCopyOf,
  type StoredCopy,
  localCopies,
  type LocalCopy,
  newCopyName,
  type ReportText,
  reportTextOf,
} from '#reading/reports/autosaves/local-copies.ts';

/** Text of a report in an editor, and where it is stored. */
export type Draft = {
  /** Storage name in this browser, unique to this editor. */
  name: string;
  /** Copy of another editor from which this text was taken; null once this editor has stored its own copy. */
  takenFrom: CopyState | null;
  /** Report to which the text belongs; null before the first save. */
  reportId: string | null;
  /**
   * Text of the user. In the component state, it is the text with which the editor began. In `latest`, it is the
   * current text.
   */
  words: ReportText;
  /** Ready text with which a first report began, such as a filled template; null if there is none. */
  readyText: string | null;
  revision: number | null;
  /** Patient about whom the text was begun, even after the study has moved; null when unknown. */
  patient: NamedPatient | null;
  isUnsaved: boolean;
  /** False when the browser storage is full. */
  isStoredInBrowser: boolean;
  /** Time of the autosave that holds the whole current text; null when the server lacks a part of it. */
  autosavedAt: string | null;
  /** ID of the server autosave that this text continues. */
  keptId: string | null;
  sentId: string | null;
  /**
   * Whether another window of this user has autosaved a different text. This text is then stored only in this browser.
   */
  isAside: boolean;
  /** Time when a restored text was written. */
  restoredFrom: string | null;
  /** Increases when another text replaces this one and the editor must restart. */
  generation: number;
};

const emptyText: ReportText = { content: '', hasCriticalFindings: false, criticalFindingsDetails: '' };

/** Study, report and patient of the text, as loaded by the page. */
export type Place = {
  studyId: string;
  report: Report | null;
  patient: NamedPatient;
  /** HTML with which a first report begins, such as a filled template. */
  readyText?: string | undefined;
};

/** Returns the draft of a report as saved on the server, or an empty draft. */
export const fromServer = ({ studyId, report, patient, readyText }: Place, generation = 0): Draft => ({
  name: newCopyName(studyId),
  takenFrom: null,
  reportId: report?.id ?? null,
  words: report
    ? {
        content: report.content,
        hasCriticalFindings: report.criticalFindingsDetails !== '',
        criticalFindingsDetails: report.criticalFindingsDetails,
      }
    : { ...emptyText, content: readyText ?? '' },
  readyText: report ? null : (readyText ?? null),
  revision: report?.revision ?? null,
  patient,
  isUnsaved: false,
  isStoredInBrowser: true,
  autosavedAt: null,
  keptId: null,
  sentId: null,
  isAside: false,
  restoredFrom: null,
  generation,
});

/** Returns the draft that continues an unsaved copy in this browser. */
export const fromBrowser = (draft: Draft, local: LocalCopy): Draft => ({
  ...draft,
  takenFrom: { name: local.name, at: local.at },
  words: reportTextOf(local),
  // A text that belongs to another report has no revision of this report.
  revision: local.reportId === draft.reportId ? local.revision : null,
  patient: local.patient,
  isUnsaved: true,
  autosavedAt: null,
  keptId: local.keptId,
  restoredFrom: local.at,
});

/** Returns the draft that continues an autosave on the server. */
export const fromAutosave = (draft: Draft, kept: Autosave): Draft => ({
  ...draft,
  words: reportTextOf(kept),
  revision: kept.baseRevision,
  patient: kept.patient,
  isUnsaved: true,
  autosavedAt: kept.savedAt,
  keptId: kept.id,
  restoredFrom: kept.savedAt,
});

/**
 * Returns the text to continue: the unsent copy in this browser or the autosave on the server, whichever is newer. The
 * older text stays available.
 */
export const begin = (place: Place, texts: readonly Autosave[]): Draft => {
  const { studyId, report } = place;
  const local = localCopies(studyId).find(isCopyOf(report));
  const autosave = texts.find(isAutosaveOf(report));
  const stored = fromServer(place);
  if (!local) return autosave ? fromAutosave(stored, autosave) : stored;
  if (!autosave || autosave.id === local.keptId) return fromBrowser(stored, local);
  // The server stored the autosave, but the page closed before the answer.
  if (autosave.id === local.sentId) return { ...fromBrowser(stored, local), keptId: autosave.id };
  const isNewer = Date.parse(local.at) > Date.parse(autosave.savedAt);
  return isNewer ? { ...fromBrowser(stored, local), isAside: true } : fromAutosave(stored, autosave);
};

/**
 * Whether the text may be about a patient other than the current patient of the study. If the patient of the text is
 * unknown, only a text without a report is in doubt. A text that belongs to a report is safe, because a move changes
 * the revision, so a save would conflict.
 */
export const mayBeOfOtherPatient = (
  { isUnsaved, patient, revision }: Pick<Draft, 'isUnsaved' | 'patient' | 'revision'>,
  filed: NamedPatient,
): boolean => isUnsaved && (patient ? patient.id !== filed.id : revision === null);

/** Whether two texts are equal, with their critical findings. */
export const isSame = (one: ReportText, other: ReportText) =>
  one.content === other.content &&
  one.hasCriticalFindings === other.hasCriticalFindings &&
  one.criticalFindingsDetails === other.criticalFindingsDetails;

/**
 * Whether the panel would look the same after a change. The panel does not render the content, only the list of
 * undecided passages.
 */
export const looksSame = (before: Draft, after: Draft) =>
  JSON.stringify(visible(before)) === JSON.stringify(visible(after)) &&
  hasSamePassages(before.words.content, after.words.content);

const visible = (draft: Draft) => ({
  ...draft,
  takenFrom: null,
  sentId: null,
  words: { ...draft.words, content: '' },
});

const hasSamePassages = (before: string, after: string) =>
  before === after || String(openPassagesIn(before)) === String(openPassagesIn(after));

/** Stores a text in this browser. Only then deletes the copy from which the text was taken. */
export const saveInBrowser = (draft: Draft, owner: UnsavedOwner): Draft => {
  const { name, takenFrom, reportId, revision, patient, keptId, sentId } = draft;
  const at = new Date().toISOString();
  const copy: StoredCopy = { ...draft.words, reportId, revision, patient, keptId, sentId, at };
  const isStoredInBrowser = saveUnsaved(name, copy, owner);
  if (!isStoredInBrowser || !takenFrom) return { ...draft, isStoredInBrowser };
  deleteCopy(takenFrom, owner);
  return { ...draft, isStoredInBrowser, takenFrom: null };
};

/** Deletes the browser copies of a text that was saved or discarded. */
export const forgetHere = (draft: Draft, owner: UnsavedOwner): Draft => {
  forgetUnsaved(draft.name, owner);
  if (draft.takenFrom) deleteCopy(draft.takenFrom, owner);
  return { ...draft, takenFrom: null };
};
