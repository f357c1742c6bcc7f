import { t } from '@lingui/core/macro';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import type { AddendumDraft } from '@radwork/contract/reading/report-parts';
import type { Report } from '@radwork/contract/reading/reports';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { forgetUnsaved, unsavedOwner } from '#core/state/unsaved-texts.ts';
import { hasVisibleText } from '#reading/editor/reading/safe-html.ts';
import {
  addendumCopies,
  type AddendumCopyState,
  type AddendumText,
  deleteAddendumCopy,
  saveAddendumCopy,
  newAddendumName,
} from './addendum-copies.ts';
import { refreshReports } from '#reading/reports/panel/report-actions.ts';

const emptyAddendum: AddendumText = { kind: 'ADDENDUM', content: '', passage: '', corrects: null };

/** Autosave interval, in milliseconds. */
const saveEvery = 10_000;

/** Whether the user has begun an addendum to a report, in this browser or on the server. */
export const hasBegunAddendum = (report: Report): boolean =>
  report.addendumDraft !== null || addendumCopies(report.id).length > 0;

type State = {
  /** Storage name in this browser, unique to this window. */
  name: string;
  /** Copy of another window from which this text was taken; null once this window has stored its own copy. */
  takenFrom: AddendumCopyState | null;
  words: AddendumText;
  /** Draft on the server that this text will replace; null before the first save. */
  draft: Pick<AddendumDraft, 'id' | 'revision'> | null;
  /** Patient of the report when the user began the text. The server accepts the first save only for this patient. */
  patientRecordId: string;
  isUnsaved: boolean;
  /** Increases when another text replaces this one and the editor must restart. */
  generation: number;
};

const wordsOf = ({ kind, content, passage, corrects }: AddendumText): AddendumText => ({
  kind,
  content,
  passage,
  corrects,
});

const fromServer = ({ id, addendumDraft, patientRecordId }: Report): State => ({
  name: newAddendumName(id),
  takenFrom: null,
  words: wordsOf(addendumDraft ?? emptyAddendum),
  draft: addendumDraft,
  patientRecordId,
  isUnsaved: false,
  generation: 0,
});

const begin = (report: Report): State => {
  const stored = fromServer(report);
  const [localCopy] = addendumCopies(report.id);
  if (!localCopy) return stored;
  const { name, at, draftId, revision, patientRecordId = report.patientRecordId } = localCopy;
  const draft = draftId ? { id: draftId, revision } : null;
  return { ...stored, takenFrom: { name, at }, words: wordsOf(localCopy), draft, patientRecordId, isUnsaved: true };
};

/** Returns the reason why a text cannot be stored. The server applies the same rules. */
export const faultOf = ({ kind, content, passage, corrects }: AddendumText): string | undefined => {
  if (!hasVisibleText(content)) return t`Addendum content is required`;
  if (kind === 'CORRECTION' && (passage.trim() === '' || corrects === null)) return t`Quote the passage to correct`;
  return undefined;
};

/** Whether another window has already changed, signed or discarded this draft. */
export const isOvertaken = (error: Error): boolean => error instanceof ApiError && [404, 409].includes(error.status);

/**
 * State of an addendum during editing. Stores every change in the browser. Saves on the server every ten seconds and on
 * request. Does not overwrite a draft that another window has changed.
 */
export const useAddendum = (report: Report) => {
  const client = useQueryClient();
  const [state, setState] = useState(() => begin(report));
  // The author stays the owner of the text even if the session ends during editing.
  const [owner] = useState(unsavedOwner);
  const isTheirs = () => owner !== undefined && owner === unsavedOwner();
  const latest = useRef(state);
  const put = (next: State) => {
    latest.current = next;
    setState(next);
  };
  /** The first change binds the text to the current patient of the report. */
  const boundState = (): State =>
    latest.current.isUnsaved
      ? latest.current
      : { ...latest.current, patientRecordId: report.patientRecordId, isUnsaved: true };
  /** Deletes the browser copies of a text that is saved or discarded. */
  const forget = () => {
    const { name, takenFrom } = latest.current;
    forgetUnsaved(name, owner);
    if (takenFrom) deleteAddendumCopy(takenFrom, owner);
  };
  /** Makes the editor report the last keystrokes. */
  const flush = useRef(() => {});
  const refresh = () => refreshReports(client);

  const saving = useMutation({
    mutationFn: async (): Promise<AddendumDraft | null> => {
      flush.current();
      const { words: sent, draft, patientRecordId } = latest.current;
      const params = { id: report.id };
      const answer = draft
        ? await call(reportAddenda.save, {
            params: { ...params, addendumId: draft.id },
            body: { ...sent, revision: draft.revision },
          })
        : await call(reportAddenda.begin, { params, body: { ...sent, patientRecordId } });
      flush.current();
      const isSame = latest.current.words === sent;
      put({ ...latest.current, draft: answer.addendumDraft, isUnsaved: !isSame });
      if (isSame) forget();
      return answer.addendumDraft;
    },
    onError: (error) => {
      if (isOvertaken(error)) void refresh();
    },
  });

  /** The running save. Only one save runs at a time, so a second save waits for it. */
  const onTheWay = useRef<Promise<boolean>>(undefined);
  const save = useRef(async (): Promise<boolean> => false);
  useEffect(() => {
    save.current = async () => {
      // The session ended. The next user to sign in must not send this text as their own.
      flush.current();
      if (!isTheirs() || faultOf(latest.current.words)) return false;
      onTheWay.current ??= saving
        .mutateAsync()
        .then(
          () => true,
          () => false,
        )
        .finally(() => {
          onTheWay.current = undefined;
        });
      return onTheWay.current;
    };
  });
  useEffect(() => {
    const ticking = setInterval(() => latest.current.isUnsaved && void save.current(), saveEvery);
    return () => clearInterval(ticking);
  }, []);

  return {
    ...state,
    error: saving.error,
    isSaving: saving.isPending,
    write: (part: Partial<AddendumText>) => {
      const next = { ...boundState(), words: { ...latest.current.words, ...part } };
      const { name, takenFrom, draft, patientRecordId } = next;
      const base = { draftId: draft?.id ?? null, revision: draft?.revision ?? 0, patientRecordId };
      const isKept = saveAddendumCopy(name, { ...next.words, ...base }, owner);
      if (isKept && takenFrom) deleteAddendumCopy(takenFrom, owner);
      put(isKept ? { ...next, takenFrom: null } : next);
    },
    /** Records that the user has typed. The content follows shortly. */
    touch: () => {
      if (!latest.current.isUnsaved) put(boundState());
    },
    /** Saves the text. Resolves to whether the server has it. */
    save: () => save.current(),
    /** Saves the text and everything typed during the save. Resolves to whether the server has all of it. */
    saveAll: async (): Promise<boolean> => {
      // An empty text is saved too, so that its first save reports the missing content.
      while (latest.current.isUnsaved || !latest.current.draft) if (!(await save.current())) return false;
      return true;
    },
    /** Bases this text on the version of another window, or on the current patient of the report. */
    rebase: () => {
      put({ ...latest.current, draft: report.addendumDraft, patientRecordId: report.patientRecordId });
      saving.reset();
    },
    /** Discards this text and continues with the stored text. */
    adopt: () => {
      forget();
      put({ ...fromServer(report), generation: latest.current.generation + 1 });
      saving.reset();
    },
    forget,
    latest: () => {
      flush.current();
      return latest.current;
    },
    onOpen: (callback: () => void) => {
      flush.current = callback;
    },
  };
};

export type WrittenAddendum = ReturnType<typeof useAddendum>;

/** Discards a draft, including a draft that only this browser has. */
export const useDiscardAddendum = (report: Report, { latest, forget }: WrittenAddendum) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const { draft } = latest();
      const query = { revision: draft?.revision };
      if (draft) await call(reportAddenda.discard, { params: { id: report.id, addendumId: draft.id }, query });
      forget();
    },
    onSuccess: () => refreshReports(client),
    onError: (error) => {
      toast.failure(errorMessageOf(error, t`Error discarding addendum`));
      void refreshReports(client);
    },
  });
};
