import { t } from '@lingui/core/macro';
import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Report } from '@radwork/contract/reading/reports';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { reportBytesLimit } from '#reading/editor/extensions/report-size-limit.ts';
import { hasVisibleText } from '#reading/editor/reading/safe-html.ts';
import { removeCachedAutosave } from '#reading/reports/autosaves/autosaves.ts';
import type { ReportText } from '#reading/reports/autosaves/local-copies.ts';
import { useCreateReport, useSaveReport } from '#reading/reports/panel/report-actions.ts';
import { mayBeOfOtherPatient } from './draft.ts';
import type { ReportDraft } from './report-draft.ts';
import { showDecision } from './moved-study-text.tsx';

type Faults = { content?: string | undefined; details?: string | undefined };

/** Returns the errors that prevent saving. The server applies the same rules. */
const faultsOf = ({ content, hasCriticalFindings, criticalFindingsDetails }: ReportText): Faults => ({
  content: faultOfContent(content),
  details:
    hasCriticalFindings && !criticalFindingsDetails.trim() ? t`Critical findings details are required` : undefined,
});

const faultOfContent = (content: string): string | undefined => {
  if (!hasVisibleText(content)) return t`Report content is required`;
  const bytes = new TextEncoder().encode(content).length;
  return bytes > reportBytesLimit ? t`The report is larger than 5 MB` : undefined;
};

const noFaults: Faults = {};

type Target = {
  studyId: string;
  /** Report being edited; null before the first save. */
  report: Report | null;
  patient: NamedPatient;
  isAnother: boolean;
};

/** Saves the text on the server and returns its errors. `settled` waits for running autosaves. */
export const useSaving = (
  { studyId, report, patient, isAnother }: Target,
  writing: ReportDraft,
  settled: () => Promise<void>,
) => {
  const client = useQueryClient();
  const create = useCreateReport(patient, isAnother);
  const update = useSaveReport(report?.status === 'REVISION_REQUIRED');
  /** Errors to correct before sending. They appear after an attempt and disappear when the user changes the text. */
  const [faults, setFaults] = useState(noFaults);
  const answered = create.error ?? update.error;

  /**
   * The running save. Only one save runs at a time, because a second save needs the revision that the first returns.
   */
  const onTheWay = useRef<Promise<Report | undefined>>(undefined);
  /** A report that a save has created and that the screen does not show yet. */
  const createdReport = useRef<Report>(undefined);
  useEffect(() => {
    createdReport.current = undefined;
  }, [report]);

  /** Sends the text. Returns the stored report, or undefined if the server did not accept the text. */
  const send = async (): Promise<Report | undefined> => {
    await settled();
    const draft = writing.latest();
    // A text may be sent only for the patient about whom it was begun.
    if (mayBeOfOtherPatient(draft, patient)) {
      showDecision();
      return undefined;
    }
    const { words, revision, keptId } = draft;
    const newFaults = faultsOf(words);
    setFaults(newFaults);
    if (newFaults.content ?? newFaults.details) return undefined;
    const body = { ...words, revision: revision ?? undefined, keptTextId: keptId ?? undefined };
    const target = report ?? createdReport.current;
    try {
      const answer = target
        ? await update.mutateAsync({ params: { id: target.id }, body })
        : await create.mutateAsync({ params: { id: studyId }, body: { ...body, patientId: patient.id } });
      if (!target) createdReport.current = answer;
      writing.saved(answer, words);
      if (keptId) removeCachedAutosave(client, studyId, keptId);
      return answer;
    } catch (error) {
      // Another user has saved meanwhile. Fetches the new version.
      if (error instanceof ApiError && error.status === 409) await client.invalidateQueries({ queryKey: ['studies'] });
      return undefined;
    }
  };

  /** Saves the text. If a save is running, waits for it and then sends only later changes. */
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

  /** Saves until nothing is unsaved. Returns the saved report, or undefined if the server did not accept the text. */
  const saveAll = async (): Promise<Report | undefined> => {
    const { isUnsaved, reportId } = writing.latest();
    // A new report without text: the attempt shows what is missing.
    if (!report && !isUnsaved) return save();
    // Another user or window has saved a report, and the editor still shows the untouched template.
    if (report && !isUnsaved && reportId !== report.id) {
      writing.adopt(report);
      toast.failure(t`Another text was saved meanwhile. Nothing was signed or sent. Review it.`);
      return undefined;
    }
    let savedReport: Report | undefined = report ?? undefined;
    while (writing.latest().isUnsaved) {
      savedReport = await save();
      if (!savedReport) return undefined;
    }
    return savedReport;
  };

  return {
    save,
    saveAll,
    faults,
    /** Clears errors that belong to a replaced text. */
    forgetFaults: () => setFaults(noFaults),
    refusal: answered ? errorMessageOf(answered, answered.message) : undefined,
    isPending: create.isPending || update.isPending,
    /** Clears the last error, which no longer applies. */
    reset: () => {
      create.reset();
      update.reset();
    },
  };
};
