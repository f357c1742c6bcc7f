import { autosaveErrors } from '@radwork/contract/report-autosaves';
import type { Report } from '@radwork/contract/reports';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ApiError } from '#core/api.ts';
import { newId } from '#core/new-id.ts';
import { askAgain, keepEvery, keepText } from './kept-texts.ts';
import { reportOfStudy } from './report-actions.ts';
import { type Draft, isOfAnother, type useReportDraft } from './report-draft.ts';

type Writing = ReturnType<typeof useReportDraft>;

/**
 * Has the server keep what is typed, every ten seconds while it changes and when the page is hidden or left. It saves
 * nothing: the report stays as it is. What the server does not get stays in the browser, and the next attempt follows.
 *
 * @returns How to wait until nothing is on its way, so that a save comes after it.
 */
export const useAutosave = (studyId: string, report: Report | null, writing: Writing) => {
  const client = useQueryClient();
  const onTheWay = useRef<Promise<void>>(undefined);

  const keep = async () => {
    const id = newId();
    const { words, revision, patient, keptId } = writing.sending(id);
    try {
      const text = { ...words, id, reportId: report?.id ?? null, baseRevision: revision, patient };
      writing.kept(await keepText(client, studyId, text, keptId), words);
    } catch (error) {
      // Every other refusal and silence is no news: the browser has the text, and a save will say what is wrong.
      if (!(error instanceof ApiError) || error.error !== autosaveErrors.newer) return;
      writing.giveWay();
      await askAgain(client, studyId).catch(() => {});
    }
  };

  /** The server takes no text of whoever has lost the report to a colleague: this browser has it. */
  const isTakenOver = () => client.getQueryData(reportOfStudy(studyId).queryKey)?.readingBy?.isMe === false;

  /** Nothing is sent about a patient of whom the writer has not said that they mean them: this browser has it. */
  const isHeld = (draft: Draft) => {
    const filed = client.getQueryData(reportOfStudy(studyId).queryKey)?.patient;
    return filed !== undefined && isOfAnother(draft, filed);
  };

  const keepIfChanged = () => {
    const draft = writing.latest();
    const { isUnsaved, keptAt, isAside } = draft;
    // Where the session has ended the browser has the text; nobody else keeps it as theirs.
    if (!writing.isTheirs()) return;
    if (!isUnsaved || keptAt !== null || isAside || onTheWay.current) return;
    if (isTakenOver() || isHeld(draft)) return;
    onTheWay.current = keep().finally(() => {
      onTheWay.current = undefined;
    });
  };

  const latest = useRef(keepIfChanged);
  useEffect(() => {
    latest.current = keepIfChanged;
  });
  useEffect(() => {
    const run = () => latest.current();
    const onHide = () => document.visibilityState === 'hidden' && run();
    const ticking = setInterval(run, keepEvery);
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
