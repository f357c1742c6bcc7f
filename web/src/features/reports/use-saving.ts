import type { NamedPatient } from '@radwork/contract/named-patient';
import type { Report } from '@radwork/contract/reports';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, wordsFor } from '#core/api.ts';
import { reportBytesLimit } from '#editor/report-bytes.ts';
import { hasWords } from '#editor/safe-html.ts';
import { noteGone } from './kept-texts.ts';
import type { Words } from './local-copies.ts';
import { useCreateReport, useSaveReport } from './report-actions.ts';
import { isOfAnother, type Writing } from './report-draft.ts';
import { showDecision } from './text-of-another.tsx';

type Faults = { content?: string | undefined; details?: string | undefined };

/** Why a text cannot be saved as it is; the server says the same. */
const faultsOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: Words): Faults => ({
  content: faultOfContent(content),
  details:
    hasCriticalFindings && !criticalFindingsDetails.trim() ? 'Critical findings details are required' : undefined,
});

const faultOfContent = (content: string): string | undefined => {
  if (!hasWords(content)) return 'Report content is required';
  const bytes = new TextEncoder().encode(content).length;
  return bytes > reportBytesLimit ? 'The report is larger than 5 MB' : undefined;
};

const noFaults: Faults = {};

type Target = {
  studyId: string;
  /** The report that is written on; null while there is none. */
  report: Report | null;
  patient: NamedPatient;
  isAnother: boolean;
  onCreated: () => void;
};

/** How a text that is written gets to the server, and what hinders it. `settled` waits for what is on its way by itself. */
export const useSaving = (
  { studyId, report, patient, isAnother, onCreated }: Target,
  writing: Writing,
  settled: () => Promise<void>,
) => {
  const client = useQueryClient();
  const create = useCreateReport(patient, isAnother);
  const update = useSaveReport(report?.status === 'REVISION_REQUIRED');
  /** What is to be mended before the text can be sent; said once somebody has tried, until they change it. */
  const [faults, setFaults] = useState(noFaults);
  const answered = create.error ?? update.error;

  /** One at a time: of two at once the second would not know the version that the first one makes. */
  const onTheWay = useRef<Promise<Report | undefined>>(undefined);
  /** A report that was begun by a save whose answer has not reached the screen. */
  const begun = useRef<Report>(undefined);
  useEffect(() => {
    begun.current = undefined;
  }, [report]);

  /** Sends the text; the report as the server then has it, or undefined when it has not taken it. */
  const send = async (): Promise<Report | undefined> => {
    await settled();
    const draft = writing.latest();
    // A text goes to whom it was begun for and to nobody else.
    if (isOfAnother(draft, patient)) {
      showDecision();
      return undefined;
    }
    const { words, revision, keptId } = draft;
    const found = faultsOf(words);
    setFaults(found);
    if (found.content ?? found.details) return undefined;
    const body = { ...words, revision: revision ?? undefined, keptTextId: keptId ?? undefined };
    const target = report ?? begun.current;
    try {
      const answer = target
        ? await update.mutateAsync({ params: { id: target.id }, body })
        : await create.mutateAsync({ params: { id: studyId }, body: { ...body, patientId: patient.id } });
      if (!target) begun.current = answer;
      writing.saved(answer, words);
      if (keptId) noteGone(client, studyId, keptId);
      if (!target) onCreated();
      return answer;
    } catch (error) {
      // Somebody else was faster: what they did belongs on the screen.
      if (error instanceof ApiError && error.status === 409) await client.invalidateQueries({ queryKey: ['studies'] });
      return undefined;
    }
  };

  /** Who saves while a save is under way waits for it, and sends what it does not hold. */
  const save = async (): Promise<Report | undefined> => {
    while (onTheWay.current) {
      const answer = await onTheWay.current;
      if (!answer || !writing.latest().isUnsaved) return answer;
    }
    const sending = send().finally(() => {
      onTheWay.current = undefined;
    });
    onTheWay.current = sending;
    return sending;
  };

  /** Saves until nothing is unsaved; the report that is then on the screen, or undefined when the server did not take it. */
  const saveAll = async (): Promise<Report | undefined> => {
    let seen: Report | undefined = report ?? undefined;
    while (writing.latest().isUnsaved) {
      seen = await save();
      if (!seen) return undefined;
    }
    return seen;
  };

  return {
    save,
    saveAll,
    faults,
    /** They are about a text that is another one now. */
    forgetFaults: () => setFaults(noFaults),
    refusal: answered ? wordsFor(answered, answered.message) : undefined,
    isPending: create.isPending || update.isPending,
    /** What was refused last is no longer what stands in the way. */
    reset: () => {
      create.reset();
      update.reset();
    },
  };
};
