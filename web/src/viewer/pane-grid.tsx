import type { StudyDetails } from '@radwork/contract/studies';
import type { Layout } from './layouts.ts';
import styles from './pane-grid.module.css';
import { Pane } from './pane.tsx';
import type { Panes } from './panes.ts';
import type { ViewBox } from './view-box.ts';

type Props = { viewBox: ViewBox | undefined; study: StudyDetails; panes: Panes; layout: Layout };

/** The pictures, side by side. The pane that was touched last is the one that tools and keys act on. */
export function PaneGrid({ viewBox, study, panes, layout }: Props) {
  const { seriesIn, current, enter, onView } = panes;
  return (
    <div className={styles.panes} data-layout={layout}>
      {seriesIn.map((series, at) => (
        <section
          key={`${at} ${series?.seriesInstanceUID}`}
          aria-label={`Pane ${at + 1}`}
          className={styles.pane}
          data-current={seriesIn.length > 1 && at === current}
          onPointerDown={() => enter(at)}
          onWheel={() => enter(at)}
        >
          <Pane viewBox={viewBox} study={study} series={series} at={at} onView={onView} />
        </section>
      ))}
    </div>
  );
}
