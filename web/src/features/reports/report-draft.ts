import { openPassagesIn } from '@radwork/contract/drafting';
import type { NamedPatient } from '@radwork/contract/named-patient';
import type { KeptText } from '@radwork/contract/report-autosaves';
import type { Report } from '@radwork/contract/reports';
import { useRef, useState } from 'react';
import { forgetUnsaved, keepUnsaved, type UnsavedOwner, unsavedOwner } from '#core/unsaved.ts';
import type { OnOpen } from '#editor/use-text-told.ts';
import { isTextOf } from './kept-texts.ts';
import {
  type CopyOfThen,
  forgetCopy,
  isCopyOf,
  type KeptCopy,
  localCopies,
  type LocalCopy,
  newCopyName,
  type Words,
  wordsOf,
} from './local-copies.ts';
import { isRefiledOnly } from './what-happened.ts';

export type Draft = {
  /** The name under which this browser keeps it, which no other editor has. */
  name: string;
  /** The copy of another editor that it goes on from, until it has one of its own. */
  takenFrom: CopyOfThen | null;
  /** The report that it is the text of; null while there is none. */
  reportId: string | null;
  /** What is written. In what a component shows, its content is the one that the editor began with. */
  words: Words;
  revision: number | null;
  /** For whom the text was begun, wherever its study is filed by now; null when that is not known. */
  patient: NamedPatient | null;
  isUnsaved: boolean;
  /** False when the browser has no room to keep the text as well. */
  isKept: boolean;
  /** When the server kept the text as it is now; null when it does not have all of it. */
  keptAt: string | null;
  /** The kept text on the server that this one goes on from. */
  keptId: string | null;
  sentId: string | null;
  /** Another window of the same writer has kept another text; this one is kept in this browser alone. */
  isAside: boolean;
  /** When a text was written that has now come back. */
  restoredFrom: string | null;
  /** Grows when the editor has to begin anew with another text. */
  generation: number;
};

const nothing: Words = { content: '', hasCriticalFindings: false, criticalFindingsDetails: '' };

/** What is written in, and under whom it is filed as the page knows it. */
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
    : nothing,
  revision: report?.revision ?? null,
  patient,
  isUnsaved: false,
  isKept: true,
  keptAt: null,
  keptId: null,
  sentId: null,
  isAside: false,
  restoredFrom: null,
  generation,
});

const fromBrowser = (draft: Draft, local: LocalCopy): Draft => ({
  ...draft,
  takenFrom: { name: local.name, at: local.at },
  words: wordsOf(local),
  // A text that was written on another report knows no version of this one.
  revision: local.reportId === draft.reportId ? local.revision : null,
  patient: local.patient,
  isUnsaved: true,
  keptAt: null,
  keptId: local.keptId,
  restoredFrom: local.at,
});

const fromKept = (draft: Draft, kept: KeptText): Draft => ({
  ...draft,
  words: wordsOf(kept),
  revision: kept.baseRevision,
  patient: kept.patient,
  isUnsaved: true,
  keptAt: kept.savedAt,
  keptId: kept.id,
  restoredFrom: kept.savedAt,
});

/**
 * What the writer finds: the newest of what this browser has not got through to the server and of what the server keeps.
 * Whatever it does not go on from stays where it is, to be looked at.
 */
const begin = (place: Place, texts: readonly KeptText[]): Draft => {
  const { studyId, report } = place;
  const local = localCopies(studyId).find(isCopyOf(report));
  const kept = texts.find(isTextOf(report));
  const stored = fromServer(place);
  if (!local) return kept ? fromKept(stored, kept) : stored;
  if (!kept || kept.id === local.keptId) return fromBrowser(stored, local);
  // The page was gone before it heard that the server has it.
  if (kept.id === local.sentId) return { ...fromBrowser(stored, local), keptId: kept.id };
  const isNewer = Date.parse(local.at) > Date.parse(kept.savedAt);
  return isNewer ? { ...fromBrowser(stored, local), isAside: true } : fromKept(stored, kept);
};

/**
 * Whether a text may be about another patient than the one whose study it is now. Of a text that does not say for whom
 * it was begun the version of its report tells, which no refiling leaves as it was; one without a report is in doubt.
 */
export const isOfAnother = (
  { isUnsaved, patient, revision }: Pick<Draft, 'isUnsaved' | 'patient' | 'revision'>,
  filed: NamedPatient,
): boolean => isUnsaved && (patient ? patient.id !== filed.id : revision === null);

const isSame = (one: Words, other: Words) =>
  one.content === other.content &&
  one.hasCriticalFindings === other.hasCriticalFindings &&
  one.criticalFindingsDetails === other.criticalFindingsDetails;

/** Whether a screen looks the same: of what is being written, which the editor shows, it says what is left to decide. */
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
 * A text while somebody writes it. Every change is kept in the browser until the server has it, so that nothing that
 * happens to the page, the session or the network loses a word; an unsaved text from before is taken up again. Changes
 * of the content alone do not render anything, unless they decide about a passage of a program.
 */
export const useReportDraft = (place: Place, texts: readonly KeptText[]) => {
  const { report, patient } = place;
  const [draft, setDraft] = useState(() => begin(place, texts));
  // Whose text it is stays true when the session ends while it is written.
  const [owner] = useState(unsavedOwner);
  // What is written while a save is under way must not be forgotten when it ends.
  const latest = useRef(draft);
  const editor = useRef<{ tellNow: () => void; shows: (html: string) => boolean }>(undefined);
  /** Has the editor hand over what was typed last. */
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

    /** Whether whoever is signed in now is still the one who writes. */
    isTheirs: () => owner !== undefined && owner === unsavedOwner(),

    /** The text as it is, which is sent under this id. */
    sending: (id: string): Draft => {
      tellNow();
      put(keepHere({ ...latest.current, sentId: id }, owner));
      return latest.current;
    },

    onOpen: (...[tell, shows]: Parameters<OnOpen>) => {
      editor.current = { tellNow: tell, shows };
    },

    /** Something was typed; what it is follows in a moment. */
    touch: () => put({ ...latest.current, isUnsaved: true, keptAt: null, restoredFrom: null }),

    write: (part: Partial<Words>) => {
      const now = latest.current;
      const next = { ...now, words: { ...now.words, ...part }, isUnsaved: true, keptAt: null, restoredFrom: null };
      put(keepHere(next, owner));
    },

    /**
     * Puts another text in the place of this one, to be saved like any other. No undoing leads back from there: what is
     * not saved of this one stays beside it, to be taken up again.
     */
    replace: (content: string) => {
      tellNow();
      const before = latest.current;
      if (before.isUnsaved) keepHere(before, owner);
      const now = before.isUnsaved ? { ...before, name: newCopyName(place.studyId), takenFrom: null } : before;
      const words = { ...now.words, content };
      const next = { ...now, words, isUnsaved: true, keptAt: null, restoredFrom: null, generation: now.generation + 1 };
      put(keepHere(next, owner));
    },

    /** The server keeps what was sent. The browser may forget it, unless something has been written since. */
    kept: ({ id, savedAt }: Pick<KeptText, 'id' | 'savedAt'>, sent: Words) => {
      tellNow();
      const now = { ...latest.current, keptId: id, isAside: false };
      if (now.words !== sent) return put(keepHere(now, owner));
      if (!now.isUnsaved) return put(now);
      put({ ...forgetHere(now, owner), keptAt: savedAt });
    },

    /** Another window has kept another text: this one is kept here alone until its writer decides. */
    giveWay: () => put(keepHere({ ...latest.current, isAside: true, keptAt: null }, owner)),

    /** The writer has seen the text of the other window, and goes on with this one in its place. */
    replaceOther: (id: string) => put(keepHere({ ...latest.current, isAside: false, keptId: id }, owner)),

    /** The writer goes on with the text of the other window. */
    takeOther: (other: KeptText) => {
      const now = forgetHere(latest.current, owner);
      put(fromKept({ ...now, isAside: false, generation: now.generation + 1 }, other));
    },

    /** Goes on with another copy that this browser keeps. What is written here stays beside it, to be taken up again. */
    takeUp: (copy: LocalCopy) => {
      tellNow();
      const { isUnsaved, isKept, generation } = latest.current;
      // Nothing is put aside that there is no room for.
      if (isUnsaved && !isKept) return false;
      if (isUnsaved) keepHere(latest.current, owner);
      put(fromBrowser(fromServer(place, generation + 1), copy));
      return true;
    },

    /** The server has what was sent; what has been written since is still unsaved. */
    saved: (answer: Report, sent: Words) => {
      tellNow();
      const now = latest.current;
      const isUnsaved = !isSame(now.words, sent);
      const { id: reportId, revision } = answer;
      const next = { ...now, reportId, revision, isUnsaved, keptAt: null, keptId: null, restoredFrom: null };
      if (isUnsaved) return put(keepHere(next, owner));
      const done = { ...forgetHere(next, owner), isAside: false };
      // What is read, signed and sent is the stored text: where the server has left something out, it is seen here.
      const isShown = editor.current?.shows(answer.content) ?? true;
      put(isShown ? done : { ...fromServer({ ...place, report: answer }, now.generation + 1), patient: now.patient });
    },

    /** Goes on with this text on top of a newer version, which stays in the history. */
    rebase: ({ id: reportId, revision }: Report) =>
      put(keepHere({ ...latest.current, patient, reportId, revision }, owner)),

    /**
     * The writer has said that the text is about whom the study is filed under now, which the server has not heard yet.
     * Where nothing but the refiling has happened to the report, there is nothing else to look at.
     */
    confirmPatient: () => {
      const now = latest.current;
      const revision = report && isRefiledOnly(report, now.revision) ? report.revision : now.revision;
      put(keepHere({ ...now, patient, revision, keptAt: null }, owner));
    },

    /** Gives this text up for the saved one. */
    adopt: (newer: Report | null) => {
      const { generation } = forgetHere(latest.current, owner);
      put(fromServer({ ...place, report: newer }, generation + 1));
    },
  };
};

/** Keeps a text in this browser; the copy that it goes on from goes only when there is room for this one. */
const keepHere = (draft: Draft, owner: UnsavedOwner): Draft => {
  const { name, takenFrom, reportId, revision, patient, keptId, sentId } = draft;
  const at = new Date().toISOString();
  const copy: KeptCopy = { ...draft.words, reportId, revision, patient, keptId, sentId, at };
  const isKept = keepUnsaved(name, copy, owner);
  if (!isKept || !takenFrom) return { ...draft, isKept };
  forgetCopy(takenFrom, owner);
  return { ...draft, isKept, takenFrom: null };
};

/** Forgets what this browser keeps of a text, which the server has or nobody wants any more. */
const forgetHere = (draft: Draft, owner: UnsavedOwner): Draft => {
  forgetUnsaved(draft.name, owner);
  if (draft.takenFrom) forgetCopy(draft.takenFrom, owner);
  return { ...draft, takenFrom: null };
};

/** A text while somebody writes it, and what can be done with it. */
export type Writing = ReturnType<typeof useReportDraft>;
