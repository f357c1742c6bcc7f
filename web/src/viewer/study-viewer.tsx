import type { StudyDetails } from '@radwork/contract/studies';
import { type ReactNode, useEffect, useState } from 'react';
import { usePreference } from '#core/preferences.ts';
import { Notice } from '#ui/notice.tsx';
import { PaneSwitch } from '#ui/pane-switch.tsx';
import { Controls } from './controls.tsx';
import { hasWebGl, isHandheld } from './imaging.ts';
import { layoutNames, layouts } from './layouts.ts';
import { PaneGrid } from './pane-grid.tsx';
import { usePanes } from './panes.ts';
import { PatientBanner } from './patient-banner.tsx';
import { SeriesStrip } from './series-strip.tsx';
import { ReportPane } from './report-pane.tsx';
import styles from './study-viewer.module.css';
import { firstTool, takeTool } from './tools.ts';
import { useViewBox } from './view-box.ts';

type Props = { study: StudyDetails; report: ((studyId: string) => ReactNode) | undefined };

const panesInFront = [
  ['images', 'Images'],
  ['report', 'Report'],
] as const;

/** The reading room: whose pictures they are, what can be done with them, the series, and the pictures themselves. */
export function StudyViewer({ study, report }: Props) {
  const viewBox = useViewBox();
  const [preferred, setLayout] = usePreference('viewer-layout', layoutNames);
  // There is no room for two pictures on a phone.
  const layout = isHandheld() ? 'one' : preferred;
  const panes = usePanes(study.series, layouts[layout].panes);
  const reportBeside = useReportBeside(report !== undefined);
  const [tool, setTool] = useState(() => firstTool(isHandheld()));

  useEffect(() => {
    if (viewBox) takeTool(viewBox.tools, tool);
  }, [viewBox, tool]);

  return (
    <div className={styles.viewer}>
      <PatientBanner study={study} />
      <Controls
        key={panes.view?.viewport.id}
        view={panes.view}
        tool={tool}
        onTool={setTool}
        layout={layout}
        onLayout={setLayout}
        onSeries={panes.step}
        {...(report && { isReportOpen: reportBeside.isOpen, onReport: reportBeside.toggle })}
      />
      {report && (
        <div className={styles.switch}>
          <PaneSwitch
            panes={panesInFront}
            current={reportBeside.isOpen ? 'report' : 'images'}
            onPane={(name) => reportBeside.show(name === 'report')}
          />
        </div>
      )}
      {!hasWebGl() && (
        <Notice tone="warning">
          This browser offers no WebGL: pictures are drawn without the graphics card, slowly.
        </Notice>
      )}
      <div className={styles.room} data-report={reportBeside.isOpen ? 'open' : 'closed'}>
        <SeriesStrip
          studyUid={study.studyInstanceUID}
          series={study.series}
          shown={panes.seriesIn.flatMap((series) => series?.seriesInstanceUID ?? [])}
          current={panes.seriesIn[panes.current]?.seriesInstanceUID}
          onChoose={panes.choose}
        />
        <PaneGrid viewBox={viewBox} study={study} panes={panes} layout={layout} />
        {report && reportBeside.isWanted && <ReportPane isOpen={reportBeside.isOpen}>{report(study.id)}</ReportPane>}
      </div>
    </div>
  );
}

/** Whether the report stands beside the pictures, as it was left the last time. Once it was open it is only hidden. */
const useReportBeside = (isThere: boolean) => {
  const [kept, setKept] = usePreference('viewer-report', ['closed', 'open']);
  const isOpen = isThere && kept === 'open';
  const [isWanted, setIsWanted] = useState(isOpen);
  const show = (open: boolean) => {
    if (open) setIsWanted(true);
    setKept(open ? 'open' : 'closed');
  };
  return { isOpen, isWanted, show, toggle: () => show(!isOpen) };
};
