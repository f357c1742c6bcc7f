import type { Autosave } from '@radwork/contract/reading/report-autosaves';
import type { Report } from '@radwork/contract/reading/reports';
import { useRef, useState } from 'react';
import { unsavedOwner } from '#core/state/unsaved-texts.ts';
import type { OnOpen } from '#reading/editor/use-text-changes.ts';
import { type LocalCopy, newCopyName, type ReportText } from '#reading/reports/autosaves/local-copies.ts';
import { isOnlyMoved } from './describe-change.ts';
import {
  begin,
  type Draft,
  forgetHere,
  fromAutosave,
  fromBrowser,
  fromServer,
  isSame,
  looksSame,
  type Place,
  saveInBrowser,
} from './draft.ts';

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
  const flushEditor = () => editor.current?.tellNow();
  const put = (next: Draft) => {
    const isVisible = !looksSame(latest.current, next);
    latest.current = next;
    if (isVisible) setDraft(next);
  };

  return {
    draft,

    latest: (): Draft => {
      flushEditor();
      return latest.current;
    },

    /** Whether the signed-in user is still the author. */
    isTheirs: () => owner !== undefined && owner === unsavedOwner(),

    /** Returns the current text and records the ID under which it is sent. */
    sending: (id: string): Draft => {
      flushEditor();
      put(saveInBrowser({ ...latest.current, sentId: id }, owner));
      return latest.current;
    },

    onOpen: (...[flush, shows]: Parameters<OnOpen>) => {
      editor.current = { tellNow: flush, shows };
    },

    /** Records that the user has typed. The content follows shortly. */
    touch: () => put({ ...latest.current, isUnsaved: true, autosavedAt: null, restoredFrom: null }),

    write: (part: Partial<ReportText>) => {
      const now = latest.current;
      const next = { ...now, words: { ...now.words, ...part }, isUnsaved: true, autosavedAt: null, restoredFrom: null };
      put(saveInBrowser(next, owner));
    },

    /**
     * Records that the user has looked at filled parts. This does not count as a change: nothing is sent, and the user
     * does not become the author.
     */
    look: (content: string) => {
      const now = latest.current;
      put({ ...now, words: { ...now.words, content } });
    },

    /**
     * Replaces the whole text; the new text is saved as usual. Undo cannot restore the old text, but an unsaved old
     * text stays available as a copy.
     */
    replace: (content: string) => {
      flushEditor();
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
      flushEditor();
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
      flushEditor();
      const { isUnsaved, isStoredInBrowser, generation } = latest.current;
      // Refuses, because the browser has no room to store the current text.
      if (isUnsaved && !isStoredInBrowser) return false;
      if (isUnsaved) saveInBrowser(latest.current, owner);
      put(fromBrowser(fromServer(place, generation + 1), copy));
      return true;
    },

    /** Records that the server has saved the sent text. Later changes remain unsaved. */
    saved: (answer: Report, sent: ReportText) => {
      flushEditor();
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

/** A report text during editing, and its operations. */
export type ReportDraft = ReturnType<typeof useReportDraft>;
