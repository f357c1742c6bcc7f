import { reports } from '@radwork/contract/reports';
import { may } from '#core/session.ts';
import { late } from '#ui/late.tsx';

const load = () => import('./report-workspace.tsx');

/** The report of a study. Whoever only looks a study up, or at its pictures, does not wait for it. */
export const LateReportWorkspace = late(async () => (await load()).ReportWorkspace);

/** Fetches what a study is read and written with, before somebody opens one. */
export const fetchReportWorkspace = async (): Promise<void> => {
  await LateReportWorkspace.prefetch();
  if (may(reports.save)) (await load()).fetchWriting();
};
