import { measurements } from '@radwork/contract/reading/measurements';
import { reportChecks, checkReport, type ReportWarning } from '@radwork/contract/reading/report-checks';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useEffect, useMemo, useState } from 'react';
import { query } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { whenIdle } from '#core/browser/when-idle.ts';
import { blocksOf } from '#reading/editor/reading/report-blocks.ts';

/** Pause in typing before the text is checked, in milliseconds. */
const pause = 800;

/**
 * Checks the text of an editor after a pause in typing, when the browser is idle, so that typing is not delayed.
 * Undefined until the study facts are loaded.
 */
export const useWarnings = (editor: Editor, studyId: string): ReportWarning[] | undefined => {
  const { data: studyFacts } = useQuery(query(reportChecks.facts, { params: { id: studyId } }));
  // Live events refetch the measurements, so a value that the reader has just measured counts.
  const { data: measured } = useQuery({
    ...query(measurements.ofStudy, { params: { id: studyId } }),
    enabled: may(measurements.ofStudy),
  });
  const facts = useMemo(
    () => studyFacts && { ...studyFacts, ...(measured && { measurements: measured }) },
    [studyFacts, measured],
  );
  const [warnings, setWarnings] = useState<ReportWarning[]>();
  useEffect(() => {
    if (!facts) return undefined;
    const look = () => {
      if (!editor.isDestroyed) setWarnings(checkReport(blocksOf(editor), facts));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopWaiting = () => {};
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        stopWaiting = whenIdle(look);
      }, pause);
    };
    later();
    editor.on('update', later);
    return () => {
      clearTimeout(timer);
      stopWaiting();
      editor.off('update', later);
    };
  }, [editor, facts]);
  return warnings;
};
