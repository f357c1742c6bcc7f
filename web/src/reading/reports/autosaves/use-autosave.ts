import { autosaveErrors } from '@radwork/contract/reading/report-autosaves';
import type { Report } from '@radwork/contract/reading/reports';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError } from '#core/http/api.ts';
import { newId } from '#core/browser/new-id.ts';
import { refetchAutosaves, autosaveIntervalMs, saveAutosave } from './autosaves.ts';
import { reportOfStudy } from '#reading/reports/panel/report-actions.ts';
import { type Draft, mayBeOfOtherPatient } from '#reading/reports/writing/draft.ts';
import type { useReportDraft } from '#reading/reports/writing/report-draft.ts';

type Writing = ReturnType<typeof useReportDraft>;

/**
 * Autosaves the text on the server every ten seconds while it changes, and when the page is hidden or closed. An
 * autosave does not change the report. After a failure, the text stays in the browser until the next autosave.
 * @returns A function that waits for running autosaves, so that a save comes after them.
 */
export const useAutosave = (studyId: string, report: Report | null, writing: Writing) => {
  const client = useQueryClient();
  const onTheWay = useRef<Promise<void>>(undefined);

  const keep = async () => {
    const id = newId();
    const { words, revision, patient, keptId } = writing.sending(id);
    try {
      const text = { ...words, id, reportId: report?.id ?? null, baseRevision: revision, patient };
      writing.kept(await saveAutosave(client, studyId, text, keptId), words);
    } catch (error) {
      // Shows no notice for other errors. The browser has the text, and a save will show the error.
      if (!(error instanceof ApiError) || error.error !== autosaveErrors.newer) return;
      writing.giveWay();
      await refetchAutosaves(client, studyId).catch(() => {});
    }
  };

  /**
   * Whether a colleague has taken over the report. The server then rejects autosaves, but the browser still has the
   * text.
   */
  const isTakenOver = () => client.getQueryData(reportOfStudy(studyId).queryKey)?.readingBy?.isMe === false;

  /** Whether the writer must first confirm the patient. Until then the text stays in the browser. */
  const isHeld = (draft: Draft) => {
    const filed = client.getQueryData(reportOfStudy(studyId).queryKey)?.patient;
    return filed !== undefined && mayBeOfOtherPatient(draft, filed);
  };

  const saveIfChanged = () => {
    const draft = writing.latest();
    const { isUnsaved, autosavedAt, isAside } = draft;
    // The session has ended, so only the browser stores the text. Another user must not send it as their own.
    if (!writing.isTheirs()) return;
    if (!isUnsaved || autosavedAt !== null || isAside || onTheWay.current) return;
    if (isTakenOver() || isHeld(draft)) return;
    onTheWay.current = keep().finally(() => {
      onTheWay.current = undefined;
    });
  };

  const latest = useRef(saveIfChanged);
  useEffect(() => {
    latest.current = saveIfChanged;
  });
  useEffect(() => {
    const run = () => latest.current();
    const onHide = () => document.visibilityState === 'hidden' && run();
    const ticking = setInterval(run, autosaveIntervalMs);
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', run);
    return () => {
      clearInterval(ticking);
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', run);
      run();
    };
  }, []);

  return async () => onTheWay.current;
};
