import { reports } from '@radwork/contract/reports';
import { may } from '#core/session.ts';
import { late } from '#ui/late.tsx';

const load = () => import('./report-workspace.tsx');

/** The report of a study. Whoever only looks a study up, or at its pictures, does not wait for it. */
export const LateReportWorkspace = late(async () => (await load()).ReportWorkspace);

/** A report that is read by itself, with everything that can be done with it. */
export const LateReportReading = late(async () => (await load()).WholeReportReading);

/** Fetches what a study is read and written with, before somebody opens one. */
export const fetchReportWorkspace = async (): Promise<void> => {
  await LateReportWorkspace.prefetch();
  if (may(reports.save)) (await load()).fetchWriting();
};
