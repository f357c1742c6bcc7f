import type { StudyDetails } from '@radwork/contract/studies';
import { useEffect, useState } from 'react';
import { usePreference } from '#core/preferences.ts';
import { Notice } from '#ui/notice.tsx';
import { Controls } from './controls.tsx';
import { hasWebGl, isHandheld } from './imaging.ts';
import { layoutNames, layouts } from './layouts.ts';
import { useViewBox } from './view-box.ts';
import { Pane } from './pane.tsx';
import { usePanes } from './panes.ts';
import { PatientBanner } from './patient-banner.tsx';
import { SeriesStrip } from './series-strip.tsx';
import styles from './study-viewer.module.css';
import { firstTool, takeTool } from './tools.ts';

/** The reading room: whose pictures they are, what can be done with them, the series, and the pictures themselves. */
export function StudyViewer({ study }: { study: StudyDetails }) {
  const viewBox = useViewBox();
  const [preferred, setLayout] = usePreference('viewer-layout', layoutNames);
  // There is no room for two pictures on a phone.
  const layout = isHandheld() ? 'one' : preferred;
  const panes = usePanes(study.series, layouts[layout].panes);
  const [tool, setTool] = useState(() => firstTool(isHandheld()));
  const [isAccelerated] = useState(hasWebGl);

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
      {!isAccelerated && (
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
        <div className={styles.panes} data-layout={layout}>
          {panes.seriesIn.map((series, at) => (
            <section
              key={`${at} ${series?.seriesInstanceUID}`}
              aria-label={`Pane ${at + 1}`}
              className={styles.pane}
              data-current={panes.seriesIn.length > 1 && at === panes.current}
              onPointerDown={() => panes.enter(at)}
              onWheel={() => panes.enter(at)}
            >
              <Pane viewBox={viewBox} study={study} series={series} at={at} onView={panes.onView} />
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}
