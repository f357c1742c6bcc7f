import { reports } from '@radwork/contract/reading/reports';
import { may } from '#core/state/session.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';

const load = () => import('./report-workspace.tsx');

/** Report of a study. Loaded on demand, so that users who view the study or its images need not wait for its code. */
export const ReportWorkspaceOnDemand = loadOnDemand(async () => (await load()).ReportWorkspace);

/** Report of a study in reading mode. */
export const ReadingWorkspaceOnDemand = loadOnDemand(async () => (await load()).ReadingWorkspace);

/** A single report with all its actions. */
export const LateReportReading = loadOnDemand(async () => (await load()).WholeReportReading);

/** Prefetches the code for reading and writing a report. */
export const fetchReportWorkspace = async (): Promise<void> => {
  await ReportWorkspaceOnDemand.prefetch();
  if (may(reports.save)) (await load()).fetchWriting();
};
