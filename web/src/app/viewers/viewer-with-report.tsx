import { rejections } from '@radwork/contract/imaging/rejections';
import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { reports } from '@radwork/contract/reading/reports';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useSearch } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { IdentityNotice } from '#imaging/identities/identity-notice.tsx';
import { ReadingBar } from '#app/reading-mode/reading-bar.tsx';
import { SeriesMenuWithPatients } from '#app/series-menu.tsx';
import { LoadingReport } from '#reading/reports/panel/loading-report.tsx';
import { prefetchPictures } from '#reading/viewer/prefetch-viewer.ts';
import type { Mode, SeriesMenuOf } from '#reading/viewer/viewer-modes.ts';
import { ViewerPage } from '#reading/viewer/viewer-page.tsx';
import { LostTextsOnDemand } from '#app/reports/lost-texts-on-demand.tsx';
import { PriorReportOnDemand } from '#app/reports/prior-report-on-demand.tsx';
import { ReadingWorkspaceOnDemand, ReportWorkspaceOnDemand } from '#app/reports/report-workspace-on-demand.tsx';

const report = (studyId: string) => <ReportWorkspaceOnDemand studyId={studyId} waiting={<LoadingReport />} />;

const priorReport = (studyId: string) => <PriorReportOnDemand studyId={studyId} waiting={<LoadingReport />} />;

const lostTexts = (studyId: string) => <LostTextsOnDemand studyId={studyId} />;

const identityNotice = (study: StudyDetails) => study.identity && <IdentityNotice study={study} />;

const seriesMenu: SeriesMenuOf = (study, seriesInstanceUID, shownImage) => (
  <SeriesMenuWithPatients study={study} seriesInstanceUID={seriesInstanceUID} shownImage={shownImage} />
);

/** Returns a viewer with the report of its study, for users who may read reports. */
const viewerOf = (mode: Mode) => () => (
  <ViewerPage
    mode={mode}
    report={may(reports.ofStudy) ? report : undefined}
    priorReport={may(reports.ofStudy) ? priorReport : undefined}
    lost={lostTexts}
    notice={identityNotice}
    seriesMenu={may(rejections.reject) ? seriesMenu : undefined}
  />
);

/** Standard viewer. In reading mode, it claims the study, opens its report and leads to the next study. */
export function StandardViewer() {
  const queue = useSearch({ strict: false, select: (search) => search.queue });
  if (queue === undefined || !may(readingQueue.next)) return <PlainViewer />;
  return (
    <ViewerPage
      mode="standard"
      report={(studyId) => <ReadingWorkspaceOnDemand {...{ studyId, queue }} waiting={<LoadingReport />} />}
      priorReport={priorReport}
      lost={lostTexts}
      seriesMenu={may(rejections.reject) ? seriesMenu : undefined}
      notice={(study) => (
        <>
          <ReadingBar key={study.id} {...{ study, queue }} prefetchImages={prefetchPictures} />
          {identityNotice(study)}
        </>
      )}
    />
  );
}

const PlainViewer = viewerOf('standard');
export const FusionViewer = viewerOf('fusion');
export const UltrasoundViewer = viewerOf('ultrasound');
export const MprViewer = viewerOf('mpr');
