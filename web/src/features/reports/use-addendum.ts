import { reportAddenda } from '@radwork/contract/report-addenda';
import { type AddendumDraft, addendumKinds } from '@radwork/contract/report-parts';
import type { Report } from '@radwork/contract/reports';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { ApiError, call, wordsFor } from '#core/api.ts';
import { toast } from '#core/toasts.ts';
import { forgetUnsaved, keepUnsaved, readUnsaved, unsavedOwner } from '#core/unsaved.ts';
import { hasWords } from '#editor/safe-html.ts';
import { refreshReports } from './report-actions.ts';

const words = z.object({
  kind: z.enum(addendumKinds),
  content: z.string(),
  passage: z.string(),
  corrects: z.number().nullable(),
});

/** What somebody writes beneath a signed report. */
export type AddendumWords = z.infer<typeof words>;

const kept = words.extend({
  draftId: z.string().nullable(),
  revision: z.number(),
  /** Absent in what was kept before it was noted. */
  patientRecordId: z.string().optional(),
});

const nothing: AddendumWords = { kind: 'ADDENDUM', content: '', passage: '', corrects: null };

/** How often what has changed is saved by itself, in milliseconds. */
const saveEvery = 10_000;

const nameOf = (report: Report): string => `addendum.${report.id}`;

/** Whether the caller has begun an addendum to a report, here or on the server. */
export const hasBegunAddendum = (report: Report): boolean =>
  report.addendumDraft !== null || readUnsaved(nameOf(report), kept) !== undefined;

type State = {
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

const begin = (report: Report): State => {
  const left = readUnsaved(nameOf(report), kept);
  const stored = report.addendumDraft;
  if (left) {
    const draft = left.draftId ? { id: left.draftId, revision: left.revision } : null;
    const { patientRecordId = report.patientRecordId } = left;
    return { words: wordsOf(left), draft, patientRecordId, isUnsaved: true, generation: 0 };
  }
  const { patientRecordId } = report;
  return { words: wordsOf(stored ?? nothing), draft: stored, patientRecordId, isUnsaved: false, generation: 0 };
};

/** Why a text cannot be stored as it is; the server says the same. */
export const faultOf = ({ kind, content, passage, corrects }: AddendumWords): string | undefined => {
  if (!hasWords(content)) return 'Addendum content is required';
  if (kind === 'CORRECTION' && (passage.trim() === '' || corrects === null))
    return 'Quote the passage that is corrected';
  return undefined;
};

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
      if (isSame) forgetUnsaved(nameOf(report), owner);
      return answer.addendumDraft;
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) void refresh();
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
      const { draft, patientRecordId } = next;
      const base = { draftId: draft?.id ?? null, revision: draft?.revision ?? 0, patientRecordId };
      keepUnsaved(nameOf(report), { ...next.words, ...base }, owner);
      put(next);
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
      forgetUnsaved(nameOf(report), owner);
      put({ ...begin({ ...report }), generation: latest.current.generation + 1 });
      saving.reset();
    },
    forget: () => forgetUnsaved(nameOf(report), owner),
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
