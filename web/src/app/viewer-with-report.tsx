import { reports } from '@radwork/contract/reports';
import type { StudyDetails } from '@radwork/contract/studies';
import { may } from '#core/session.ts';
import { IdentityNotice } from '#features/identities/identity-notice.tsx';
import { LoadingReport } from '#features/reports/loading-report.tsx';
import type { Mode } from '#viewer/viewer-modes.ts';
import { ViewerPage } from '#viewer/viewer-page.tsx';
import { LostTextsOnDemand } from './late-lost-texts.tsx';
import { PriorReportOnDemand } from './late-prior-report.tsx';
import { ReportWorkspaceOnDemand } from './late-report-workspace.tsx';

const report = (studyId: string) => <ReportWorkspaceOnDemand studyId={studyId} waiting={<LoadingReport />} />;

const priorReport = (studyId: string) => <PriorReportOnDemand studyId={studyId} waiting={<LoadingReport />} />;

const lostTexts = (studyId: string) => <LostTextsOnDemand studyId={studyId} />;

const identityNotice = (study: StudyDetails) => study.identity && <IdentityNotice study={study} />;

/** Viewer with the report of its study, for users who may read reports. */
const viewerOf = (mode: Mode) => () => (
  <ViewerPage
    mode={mode}
    report={may(reports.ofStudy) ? report : undefined}
    priorReport={may(reports.ofStudy) ? priorReport : undefined}
    lost={lostTexts}
    notice={identityNotice}
  />
);

export const StandardViewer = viewerOf('standard');
export const FusionViewer = viewerOf('fusion');
export const UltrasoundViewer = viewerOf('ultrasound');
export const MprViewer = viewerOf('mpr');
