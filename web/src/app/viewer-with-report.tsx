import { reports } from '@radwork/contract/reports';
import { may } from '#core/session.ts';
import { LoadingReport } from '#features/reports/loading-report.tsx';
import { ViewerPage } from '#viewer/viewer-page.tsx';
import { LateLostTexts } from './late-lost-texts.tsx';
import { LateReportWorkspace } from './late-report-workspace.tsx';

const report = (studyId: string) => <LateReportWorkspace studyId={studyId} waiting={<LoadingReport />} />;

const lostTexts = (studyId: string) => <LateLostTexts studyId={studyId} />;

/** /viewer/:id: the pictures of a study, and its report beside them for those who may read one. */
export function ViewerWithReport() {
  return <ViewerPage report={may(reports.ofStudy) ? report : undefined} lost={lostTexts} />;
}
