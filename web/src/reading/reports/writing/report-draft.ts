import { openPassagesIn } from '@radwork/contract/reading/drafting';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import type { Report } from '@radwork/contract/reading/reports';
import { useRef, useState } from 'react';
import { forgetUnsaved, saveUnsaved, type UnsavedOwner, unsavedOwner } from '#core/state/unsaved-texts.ts';
import type { OnOpen } from '#reading/editor/use-text-changes.ts';
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
import { isOnlyMoved } from './describe-change.ts';

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
type Place = { studyId: string; report: Report | null; patient: NamedPatient };

const fromServer = ({ studyId, report, patient }: Place, generation = 0): Draft => ({
  name: newCopyName(studyId),
  takenFrom: null,
  reportId: report?.id ?? null,
  words: report
    ? {
        content: report.content,
        hasCriticalFindings: report.criticalFindingsDetails !== '',
        criticalFindingsDetails: report.criticalFindingsDetails,
      }
    : emptyText,
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

const fromBrowser = (draft: Draft, local: LocalCopy): Draft => ({
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

const fromAutosave = (draft: Draft, kept: Autosave): Draft => ({
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
const begin = (place: Place, texts: readonly Autosave[]): Draft => {
  const { studyId, report } = place;
  const local = localCopies(studyId).find(isCopyOf(report));
  const kept = texts.find(isAutosaveOf(report));
  const stored = fromServer(place);
  if (!local) return kept ? fromAutosave(stored, kept) : stored;
  if (!kept || kept.id === local.keptId) return fromBrowser(stored, local);
  // The server stored the autosave, but the page closed before the answer.
  if (kept.id === local.sentId) return { ...fromBrowser(stored, local), keptId: kept.id };
  const isNewer = Date.parse(local.at) > Date.parse(kept.savedAt);
  return isNewer ? { ...fromBrowser(stored, local), isAside: true } : fromAutosave(stored, kept);
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

const isSame = (one: ReportText, other: ReportText) =>
  one.content === other.content &&
  one.hasCriticalFindings === other.hasCriticalFindings &&
  one.criticalFindingsDetails === other.criticalFindingsDetails;

/**
 * Whether the panel would look the same after a change. The panel does not render the content, only the list of
 * undecided passages.
 */
const looksSame = (before: Draft, after: Draft) =>
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

/**
 * State of a report text during editing. Stores every change in the browser until the server has it, so that a crash,
 * sign-out or network failure loses nothing. Restores earlier unsaved text. A change of content renders the panel only
 * if the undecided passages change.
 */
export const useReportDraft = (place: Place, texts: readonly Autosave[]) => {
  const { report, patient } = place;
  const [draft, setDraft] = useState(() => begin(place, texts));
  // The author stays the owner of the text even if the session ends during editing.
  const [owner] = useState(unsavedOwner);
  // Uses a ref, because text typed during a save must not be lost when the save ends.
  const latest = useRef(draft);
  const editor = useRef<{ tellNow: () => void; shows: (html: string) => boolean }>(undefined);
  /** Makes the editor report the last keystrokes. */
  const tellNow = () => editor.current?.tellNow();
  const put = (next: Draft) => {
    const isVisible = !looksSame(latest.current, next);
    latest.current = next;
    if (isVisible) setDraft(next);
  };

  return {
    draft,

    latest: (): Draft => {
      tellNow();
      return latest.current;
    },

    /** Whether the signed-in user is still the author. */
    isTheirs: () => owner !== undefined && owner === unsavedOwner(),

    /** Returns the current text and records the ID under which it is sent. */
    sending: (id: string): Draft => {
      tellNow();
      put(saveInBrowser({ ...latest.current, sentId: id }, owner));
      return latest.current;
    },

    onOpen: (...[tell, shows]: Parameters<OnOpen>) => {
      editor.current = { tellNow: tell, shows };
    },

    /** Records that the user has typed. The content follows shortly. */
    touch: () => put({ ...latest.current, isUnsaved: true, autosavedAt: null, restoredFrom: null }),

    write: (part: Partial<ReportText>) => {
      const now = latest.current;
      const next = { ...now, words: { ...now.words, ...part }, isUnsaved: true, autosavedAt: null, restoredFrom: null };
      put(saveInBrowser(next, owner));
    },

    /**
     * Replaces the whole text; the new text is saved as usual. Undo cannot restore the old text, but an unsaved old
     * text stays available as a copy.
     */
    replace: (content: string) => {
      tellNow();
      const before = latest.current;
      if (before.isUnsaved) saveInBrowser(before, owner);
      const now = before.isUnsaved ? { ...before, name: newCopyName(place.studyId), takenFrom: null } : before;
      const words = { ...now.words, content };
      const next = {
        ...now,
        words,
        isUnsaved: true,
        autosavedAt: null,
        restoredFrom: null,
        generation: now.generation + 1,
      };
      put(saveInBrowser(next, owner));
    },

    /**
     * Records that the server has stored the autosave. Deletes the browser copy, unless the user has typed more since
     * the autosave was sent.
     */
    kept: ({ id, savedAt }: Pick<Autosave, 'id' | 'savedAt'>, sent: ReportText) => {
      tellNow();
      const now = { ...latest.current, keptId: id, isAside: false };
      if (now.words !== sent) return put(saveInBrowser(now, owner));
      if (!now.isUnsaved) return put(now);
      put({ ...forgetHere(now, owner), autosavedAt: savedAt });
    },

    /** Another window has autosaved a different text. Stores this text only in the browser until the user decides. */
    giveWay: () => put(saveInBrowser({ ...latest.current, isAside: true, autosavedAt: null }, owner)),

    /** Replaces the text of the other window with this text, after the user has seen both. */
    replaceOther: (id: string) => put(saveInBrowser({ ...latest.current, isAside: false, keptId: id }, owner)),

    /** Continues with the text of the other window. */
    takeOther: (other: Autosave) => {
      const now = forgetHere(latest.current, owner);
      put(fromAutosave({ ...now, isAside: false, generation: now.generation + 1 }, other));
    },

    /** Continues with another copy in this browser. The current text stays available as a copy. */
    takeUp: (copy: LocalCopy) => {
      tellNow();
      const { isUnsaved, isStoredInBrowser, generation } = latest.current;
      // Refuses, because the browser has no room to store the current text.
      if (isUnsaved && !isStoredInBrowser) return false;
      if (isUnsaved) saveInBrowser(latest.current, owner);
      put(fromBrowser(fromServer(place, generation + 1), copy));
      return true;
    },

    /** Records that the server has saved the sent text. Later changes remain unsaved. */
    saved: (answer: Report, sent: ReportText) => {
      tellNow();
      const now = latest.current;
      const isUnsaved = !isSame(now.words, sent);
      const { id: reportId, revision } = answer;
      const next = { ...now, reportId, revision, isUnsaved, autosavedAt: null, keptId: null, restoredFrom: null };
      if (isUnsaved) return put(saveInBrowser(next, owner));
      const done = { ...forgetHere(next, owner), isAside: false };
      // Whether the editor shows the text as stored. If the server has removed something, the editor must show the
      // stored text, because other users see that text.
      const isShown = editor.current?.shows(answer.content) ?? true;
      put(isShown ? done : { ...fromServer({ ...place, report: answer }, now.generation + 1), patient: now.patient });
    },

    /** Bases this text on a newer version of the report, which stays in the history. */
    rebase: ({ id: reportId, revision }: Report) =>
      put(saveInBrowser({ ...latest.current, patient, reportId, revision }, owner)),

    /**
     * Records that the writer has confirmed the current patient; the server learns it at the next save. If the move is
     * the only change of the report, the writer has nothing else to review.
     */
    confirmPatient: () => {
      const now = latest.current;
      const revision = report && isOnlyMoved(report, now.revision) ? report.revision : now.revision;
      put(saveInBrowser({ ...now, patient, revision, autosavedAt: null }, owner));
    },

    /** Discards this text and continues with the saved text. */
    adopt: (newer: Report | null) => {
      const { generation } = forgetHere(latest.current, owner);
      put(fromServer({ ...place, report: newer }, generation + 1));
    },
  };
};

/** Stores a text in this browser. Only then deletes the copy from which the text was taken. */
const saveInBrowser = (draft: Draft, owner: UnsavedOwner): Draft => {
  const { name, takenFrom, reportId, revision, patient, keptId, sentId } = draft;
  const at = new Date().toISOString();
  const copy: StoredCopy = { ...draft.words, reportId, revision, patient, keptId, sentId, at };
  const isStoredInBrowser = saveUnsaved(name, copy, owner);
  if (!isStoredInBrowser || !takenFrom) return { ...draft, isStoredInBrowser };
  deleteCopy(takenFrom, owner);
  return { ...draft, isStoredInBrowser, takenFrom: null };
};

/** Deletes the browser copies of a text that was saved or discarded. */
const forgetHere = (draft: Draft, owner: UnsavedOwner): Draft => {
  forgetUnsaved(draft.name, owner);
  if (draft.takenFrom) deleteCopy(draft.takenFrom, owner);
  return { ...draft, takenFrom: null };
};

/** A report text during editing, and its operations. */
export type ReportDraft = ReturnType<typeof useReportDraft>;
