import type { StudyDetails } from '@radwork/contract/studies';
import { useEffect, useState } from 'react';
import { usePreference } from '#core/preferences.ts';
import { Notice } from '#ui/notice.tsx';
import { Controls } from './controls.tsx';
import { hasWebGl, isHandheld } from './imaging.ts';
import { layoutNames, layouts } from './layouts.ts';
import { PaneGrid } from './pane-grid.tsx';
import { usePanes } from './panes.ts';
import { PatientBanner } from './patient-banner.tsx';
import { SeriesStrip } from './series-strip.tsx';
import styles from './study-viewer.module.css';
import { firstTool, takeTool } from './tools.ts';
import { useViewBox } from './view-box.ts';

/** The reading room: whose pictures they are, what can be done with them, the series, and the pictures themselves. */
export function StudyViewer({ study }: { study: StudyDetails }) {
  const viewBox = useViewBox();
  const [preferred, setLayout] = usePreference('viewer-layout', layoutNames);
  // There is no room for two pictures on a phone.
  const layout = isHandheld() ? 'one' : preferred;
  const panes = usePanes(study.series, layouts[layout].panes);
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
      />
      {!hasWebGl() && (
        <Notice tone="warning">
          This browser offers no WebGL: pictures are drawn without the graphics card, slowly.
        </Notice>
      )}
      <div className={styles.room}>
        <SeriesStrip
          studyUid={study.studyInstanceUID}
          series={study.series}
          shown={panes.seriesIn.flatMap((series) => series?.seriesInstanceUID ?? [])}
          current={panes.seriesIn[panes.current]?.seriesInstanceUID}
          onChoose={panes.choose}
        />
        <PaneGrid viewBox={viewBox} study={study} panes={panes} layout={layout} />
      </div>
    </div>
  );
}
