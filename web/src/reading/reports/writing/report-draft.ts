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
  /** Copy of another editor that this text continues, until this editor has stored its own. */
  takenFrom: CopyState | null;
  /** Report of the text; null before there is one. */
  reportId: string | null;
  /**
   * Text of the user. The component state holds the content with which the editor began; `latest` holds the current
   * one.
   */
  words: ReportText;
  revision: number | null;
  /** Patient for whom the text was begun, even after the study has moved; null when unknown. */
  patient: NamedPatient | null;
  isUnsaved: boolean;
  /** False when the browser storage is full. */
  isStoredInBrowser: boolean;
  /** Time of the autosave that holds the whole present text; null when the server lacks a part of it. */
  autosavedAt: string | null;
  /** ID of the server autosave from which this text continues. */
  keptId: string | null;
  sentId: string | null;
  /** Another window of this user has autosaved another text. This text is then stored in this browser only. */
  isAside: boolean;
  /** Time at which a restored text was written. */
  restoredFrom: string | null;
  /** Increases when the editor must restart with another text. */
  generation: number;
};

const emptyText: ReportText = { content: '', hasCriticalFindings: false, criticalFindingsDetails: '' };

/** Study, report and patient of the text, as the page knows them. */
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
  // The text of another report has no revision of this one.
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
 * Returns the text to continue: the newest of the unsent copy in this browser and the autosave on the server. The other
 * one stays available.
 */
const begin = (place: Place, texts: readonly Autosave[]): Draft => {
  const { studyId, report } = place;
  const local = localCopies(studyId).find(isCopyOf(report));
  const kept = texts.find(isAutosaveOf(report));
  const stored = fromServer(place);
  if (!local) return kept ? fromAutosave(stored, kept) : stored;
  if (!kept || kept.id === local.keptId) return fromBrowser(stored, local);
  // The page closed before it received the answer of the autosave.
  if (kept.id === local.sentId) return { ...fromBrowser(stored, local), keptId: kept.id };
  const isNewer = Date.parse(local.at) > Date.parse(kept.savedAt);
  return isNewer ? { ...fromBrowser(stored, local), isAside: true } : fromAutosave(stored, kept);
};

/**
 * Whether the text may be about another patient than the present one of the study. When its patient is unknown, a text
 * on a stored report is safe: a move changes the revision, so a save would conflict. A text without a report is in
 * doubt.
 */
export const mayBeOfOtherPatient = (
  { isUnsaved, patient, revision }: Pick<Draft, 'isUnsaved' | 'patient' | 'revision'>,
  filed: NamedPatient,
): boolean => isUnsaved && (patient ? patient.id !== filed.id : revision === null);

const isSame = (one: ReportText, other: ReportText) =>
  one.content === other.content &&
  one.hasCriticalFindings === other.hasCriticalFindings &&
  one.criticalFindingsDetails === other.criticalFindingsDetails;

/** Whether the screen stays the same. The editor renders the content; the screen only lists its undecided passages. */
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
 * sign-out or network failure loses nothing. Restores unsaved text from before. Changes of the content alone do not
 * render, unless they settle a passage of a program.
 */
export const useReportDraft = (place: Place, texts: readonly Autosave[]) => {
  const { report, patient } = place;
  const [draft, setDraft] = useState(() => begin(place, texts));
  // The author stays the owner when the session ends during editing.
  const [owner] = useState(unsavedOwner);
  // Text typed during a save must survive the end of that save.
  const latest = useRef(draft);
  const editor = useRef<{ tellNow: () => void; shows: (html: string) => boolean }>(undefined);
  /** Makes the editor hand over the last keystrokes. */
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

    /** Returns the present text and notes the ID under which it is sent. */
    sending: (id: string): Draft => {
      tellNow();
      put(saveInBrowser({ ...latest.current, sentId: id }, owner));
      return latest.current;
    },

    onOpen: (...[tell, shows]: Parameters<OnOpen>) => {
      editor.current = { tellNow: tell, shows };
    },

    /** Notes that the user has typed; the content follows shortly. */
    touch: () => put({ ...latest.current, isUnsaved: true, autosavedAt: null, restoredFrom: null }),

    write: (part: Partial<ReportText>) => {
      const now = latest.current;
      const next = { ...now, words: { ...now.words, ...part }, isUnsaved: true, autosavedAt: null, restoredFrom: null };
      put(saveInBrowser(next, owner));
    },

    /**
     * Replaces the text with another one, which is saved like any other. Undo cannot return; an unsaved former text
     * stays available as a copy.
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

    /** The server has stored the autosave. Deletes the browser copy, unless the user has typed more since. */
    kept: ({ id, savedAt }: Pick<Autosave, 'id' | 'savedAt'>, sent: ReportText) => {
      tellNow();
      const now = { ...latest.current, keptId: id, isAside: false };
      if (now.words !== sent) return put(saveInBrowser(now, owner));
      if (!now.isUnsaved) return put(now);
      put({ ...forgetHere(now, owner), autosavedAt: savedAt });
    },

    /** Another window has autosaved another text. Stores this one only in the browser until the user decides. */
    giveWay: () => put(saveInBrowser({ ...latest.current, isAside: true, autosavedAt: null }, owner)),

    /** The user has seen the text of the other window and replaces it with this one. */
    replaceOther: (id: string) => put(saveInBrowser({ ...latest.current, isAside: false, keptId: id }, owner)),

    /** The user continues with the text of the other window. */
    takeOther: (other: Autosave) => {
      const now = forgetHere(latest.current, owner);
      put(fromAutosave({ ...now, isAside: false, generation: now.generation + 1 }, other));
    },

    /** Continues with another copy in this browser. The present text stays available as a copy. */
    takeUp: (copy: LocalCopy) => {
      tellNow();
      const { isUnsaved, isStoredInBrowser, generation } = latest.current;
      // Refuses when the browser has no room to store the present text.
      if (isUnsaved && !isStoredInBrowser) return false;
      if (isUnsaved) saveInBrowser(latest.current, owner);
      put(fromBrowser(fromServer(place, generation + 1), copy));
      return true;
    },

    /** The server has saved the sent text. Later changes remain unsaved. */
    saved: (answer: Report, sent: ReportText) => {
      tellNow();
      const now = latest.current;
      const isUnsaved = !isSame(now.words, sent);
      const { id: reportId, revision } = answer;
      const next = { ...now, reportId, revision, isUnsaved, autosavedAt: null, keptId: null, restoredFrom: null };
      if (isUnsaved) return put(saveInBrowser(next, owner));
      const done = { ...forgetHere(next, owner), isAside: false };
      // Readers, signers and recipients get the stored text. The editor shows it if the server has left something out.
      const isShown = editor.current?.shows(answer.content) ?? true;
      put(isShown ? done : { ...fromServer({ ...place, report: answer }, now.generation + 1), patient: now.patient });
    },

    /** Bases this text on a newer version, which stays in the history. */
    rebase: ({ id: reportId, revision }: Report) =>
      put(saveInBrowser({ ...latest.current, patient, reportId, revision }, owner)),

    /**
     * The writer has confirmed the present patient of the study; the server does not know yet. If only the move has
     * changed the report, the writer has nothing else to review.
     */
    confirmPatient: () => {
      const now = latest.current;
      const revision = report && isOnlyMoved(report, now.revision) ? report.revision : now.revision;
      put(saveInBrowser({ ...now, patient, revision, autosavedAt: null }, owner));
    },

    /** Discards this text in favor of the saved one. */
    adopt: (newer: Report | null) => {
      const { generation } = forgetHere(latest.current, owner);
      put(fromServer({ ...place, report: newer }, generation + 1));
    },
  };
};

/** Stores a text in this browser. Deletes the copy it continues only after the new one is stored. */
const saveInBrowser = (draft: Draft, owner: UnsavedOwner): Draft => {
  const { name, takenFrom, reportId, revision, patient, keptId, sentId } = draft;
  const at = new Date().toISOString();
  const copy: StoredCopy = { ...draft.words, reportId, revision, patient, keptId, sentId, at };
  const isStoredInBrowser = saveUnsaved(name, copy, owner);
  if (!isStoredInBrowser || !takenFrom) return { ...draft, isStoredInBrowser };
  deleteCopy(takenFrom, owner);
  return { ...draft, isStoredInBrowser, takenFrom: null };
};

/** Deletes the browser copies of a text that is saved or discarded. */
const forgetHere = (draft: Draft, owner: UnsavedOwner): Draft => {
  forgetUnsaved(draft.name, owner);
  if (draft.takenFrom) deleteCopy(draft.takenFrom, owner);
  return { ...draft, takenFrom: null };
};

/** A report text during editing, and its operations. */
export type ReportDraft = ReturnType<typeof useReportDraft>;
