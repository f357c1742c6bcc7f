import { reportAddenda } from '@radwork/contract/report-addenda';
import type { AddendumDraft } from '@radwork/contract/report-parts';
import type { Report } from '@radwork/contract/reports';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call, wordsFor } from '#core/api.ts';
import { toast } from '#core/toasts.ts';
import { forgetUnsaved, unsavedOwner } from '#core/unsaved.ts';
import { hasWords } from '#editor/safe-html.ts';
import {
  addendumCopies,
  type AddendumOfThen,
  type AddendumWords,
  forgetAddendum,
  keepAddendum,
  newAddendumName,
} from './addendum-copies.ts';
import { refreshReports } from './report-actions.ts';

const nothing: AddendumWords = { kind: 'ADDENDUM', content: '', passage: '', corrects: null };

/** How often what has changed is saved by itself, in milliseconds. */
const saveEvery = 10_000;

/** Whether the caller has begun an addendum to a report, here or on the server. */
export const hasBegunAddendum = (report: Report): boolean =>
  report.addendumDraft !== null || addendumCopies(report.id).length > 0;

type State = {
  /** The name under which this browser keeps it, which no other window has. */
  name: string;
  /** The copy of another window, open or closed, that it goes on from until it has one of its own. */
  takenFrom: AddendumOfThen | null;
  words: AddendumWords;
  /** The stored draft that it is a newer text of; null before the first save. */
  draft: Pick<AddendumDraft, 'id' | 'revision'> | null;
  /** Of whom the report was when the text was begun; the server takes a first text for nobody else. */
  patientRecordId: string;
  isUnsaved: boolean;
  /** Grows when the editor has to begin anew with another text. */
  generation: number;
};

const wordsOf = ({ kind, content, passage, corrects }: AddendumWords): AddendumWords => ({
  kind,
  content,
  passage,
  corrects,
});

const fromServer = ({ id, addendumDraft, patientRecordId }: Report): State => ({
  name: newAddendumName(id),
  takenFrom: null,
  words: wordsOf(addendumDraft ?? nothing),
  draft: addendumDraft,
  patientRecordId,
  isUnsaved: false,
  generation: 0,
});

const begin = (report: Report): State => {
  const stored = fromServer(report);
  const [left] = addendumCopies(report.id);
  if (!left) return stored;
  const { name, at, draftId, revision, patientRecordId = report.patientRecordId } = left;
  const draft = draftId ? { id: draftId, revision } : null;
  return { ...stored, takenFrom: { name, at }, words: wordsOf(left), draft, patientRecordId, isUnsaved: true };
};

/** Why a text cannot be stored as it is; the server says the same. */
export const faultOf = ({ kind, content, passage, corrects }: AddendumWords): string | undefined => {
  if (!hasWords(content)) return 'Addendum content is required';
  if (kind === 'CORRECTION' && (passage.trim() === '' || corrects === null))
    return 'Quote the passage that is corrected';
  return undefined;
};

/** Whether another window was faster: it has stored another text of the same draft, or signed or discarded that. */
export const isOvertaken = (error: Error): boolean => error instanceof ApiError && [404, 409].includes(error.status);

/**
 * An addendum while somebody writes it: in the browser at every key, on the server every ten seconds and when it is
 * saved. A draft that was changed in another window meanwhile is not overwritten.
 */
export const useAddendum = (report: Report) => {
  const client = useQueryClient();
  const [state, setState] = useState(() => begin(report));
  // Whose text it is stays true when the session ends while it is written.
  const [owner] = useState(unsavedOwner);
  const isTheirs = () => owner !== undefined && owner === unsavedOwner();
  const latest = useRef(state);
  const put = (next: State) => {
    latest.current = next;
    setState(next);
  };
  /** With its first word a text is one for whom the report is of at that moment. */
  const begun = (): State =>
    latest.current.isUnsaved
      ? latest.current
      : { ...latest.current, patientRecordId: report.patientRecordId, isUnsaved: true };
  /** What this browser keeps of it, which the server has or nobody wants any more. */
  const forget = () => {
    const { name, takenFrom } = latest.current;
    forgetUnsaved(name, owner);
    if (takenFrom) forgetAddendum(takenFrom, owner);
  };
  /** Has the editor hand over what was typed last. */
  const tellNow = useRef(() => {});
  const refresh = () => refreshReports(client);

  const saving = useMutation({
    mutationFn: async (): Promise<AddendumDraft | null> => {
      tellNow.current();
      const { words: sent, draft, patientRecordId } = latest.current;
      const params = { id: report.id };
      const answer = draft
        ? await call(reportAddenda.save, {
            params: { ...params, addendumId: draft.id },
            body: { ...sent, revision: draft.revision },
          })
        : await call(reportAddenda.begin, { params, body: { ...sent, patientRecordId } });
      tellNow.current();
      const isSame = latest.current.words === sent;
      put({ ...latest.current, draft: answer.addendumDraft, isUnsaved: !isSame });
      if (isSame) forget();
      return answer.addendumDraft;
    },
    onError: (error) => {
      if (isOvertaken(error)) void refresh();
    },
  });

  /** One at a time: who saves while a save is under way waits for it. */
  const onTheWay = useRef<Promise<boolean>>(undefined);
  const save = useRef(async (): Promise<boolean> => false);
  useEffect(() => {
    save.current = async () => {
      // Nobody who signs in meanwhile sends the text of another as theirs.
      tellNow.current();
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
    write: (part: Partial<AddendumWords>) => {
      const next = { ...begun(), words: { ...latest.current.words, ...part } };
      const { name, takenFrom, draft, patientRecordId } = next;
      const base = { draftId: draft?.id ?? null, revision: draft?.revision ?? 0, patientRecordId };
      const isKept = keepAddendum(name, { ...next.words, ...base }, owner);
      if (isKept && takenFrom) forgetAddendum(takenFrom, owner);
      put(isKept ? { ...next, takenFrom: null } : next);
    },
    /** Something has been typed; what it is follows in a moment. */
    touch: () => {
      if (!latest.current.isUnsaved) put(begun());
    },
    /** Stores what is written; whether the server has it now. */
    save: () => save.current(),
    /** Stores what is written and what comes in meanwhile; whether the server has all of it. */
    saveAll: async (): Promise<boolean> => {
      // What was never written either has its first save to say what is missing.
      while (latest.current.isUnsaved || !latest.current.draft) if (!(await save.current())) return false;
      return true;
    },
    /** Goes on with this text on top of the one that another window has stored, or for whom the report is of now. */
    rebase: () => {
      put({ ...latest.current, draft: report.addendumDraft, patientRecordId: report.patientRecordId });
      saving.reset();
    },
    /** Gives this text up for the stored one. */
    adopt: () => {
      forget();
      put({ ...fromServer(report), generation: latest.current.generation + 1 });
      saving.reset();
    },
    forget,
    latest: () => {
      tellNow.current();
      return latest.current;
    },
    onOpen: (tell: () => void) => {
      tellNow.current = tell;
    },
  };
};

export type WrittenAddendum = ReturnType<typeof useAddendum>;

/** Throws a draft away, also one that only this browser has. */
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
      toast.failure(wordsFor(error, 'Error discarding addendum'));
      void refreshReports(client);
    },
  });
};
