import { rejections } from '@radwork/contract/imaging/rejections';
import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { reports } from '@radwork/contract/reading/reports';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { may } from '#core/state/session.ts';
import { IdentityNotice } from '#imaging/identities/identity-notice.tsx';
import { ReadingBarOnDemand } from '#app/reading-mode/reading-bar-on-demand.tsx';
import { SeriesMenuOnDemand } from '#app/series-menu-on-demand.tsx';
import { StudyCommandsOnDemand } from '#app/palette/study-commands-on-demand.tsx';
import { LeadImagesWindow } from '#app/viewers/lead-images-window.tsx';
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

const notices = (study: StudyDetails) => (
  <>
    {study.identity && <IdentityNotice study={study} />}
    <StudyCommandsOnDemand key={study.id} study={study} />
  </>
);

const seriesMenu: SeriesMenuOf = (study, seriesInstanceUID, shownImage) => (
  <SeriesMenuOnDemand study={study} seriesInstanceUID={seriesInstanceUID} shownImage={shownImage} />
);

/**
 * Returns a viewer with the report of its study, for users who may read reports. In reading mode, it claims the study,
 * opens its report and leads to the next study.
 */
const viewerOf = (mode: Mode) =>
  function Viewer() {
    const queue = useSearch({ strict: false, select: (search) => search.queue });
    const shared = {
      mode,
      priorReport: may(reports.ofStudy) ? priorReport : undefined,
      lost: lostTexts,
      seriesMenu: may(rejections.reject) ? seriesMenu : undefined,
    };
    const navigate = useNavigate();
    if (queue === undefined || !may(readingQueue.next)) {
      const openViewer = (id: string) => void navigate({ to: '/viewer/{-$id}', params: { id }, ignoreBlocker: true });
      return (
        <ViewerPage
          {...shared}
          report={may(reports.ofStudy) ? report : undefined}
          notice={(study) => (
            <>
              <LeadImagesWindow
                studyId={study.id}
                to={mode === 'ultrasound' ? '/usviewer/{-$id}' : '/viewer/{-$id}'}
                onOpen={openViewer}
              />
              {notices(study)}
            </>
          )}
        />
      );
    }
    return (
      <ViewerPage
        {...shared}
        report={(studyId) => <ReadingWorkspaceOnDemand {...{ studyId, queue }} waiting={<LoadingReport />} />}
        notice={(study) => (
          <>
            <ReadingBarOnDemand key={study.id} {...{ study, queue }} prefetchImages={prefetchPictures} />
            {notices(study)}
          </>
        )}
      />
    );
  };

export const StandardViewer = viewerOf('standard');
export const FusionViewer = viewerOf('fusion');
export const UltrasoundViewer = viewerOf('ultrasound');
export const MprViewer = viewerOf('mpr');
