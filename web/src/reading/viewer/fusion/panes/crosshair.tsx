import type { FusionState } from '#reading/viewer/fusion/fusion-state.ts';
import type { PaneName } from './pane-names.ts';
import styles from './fusion-pane.module.css';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';

/** Gap around the point, in CSS pixels, so that the crosshair does not cover it. */
const gap = 14;
const arm = 7;

/** Crosshair at the point that all panes share. Also marks the position of the pointer in another pane. */
export function Crosshair({ view, state, name }: { view: DrawnView; state: FusionState; name: PaneName }) {
  const { linked, hover } = state;
  const at = linked.point && view.toScreen(linked.point);
  const other = hover && hover.pane !== name && hover.pane !== 'projection' && name !== 'projection';
  const under = other ? view.toScreen(hover.point) : undefined;
  return (
    <>
      {at && (
        <g className={styles.cross}>
          <line x1={0} x2={at[0] - gap} y1={at[1]} y2={at[1]} />
          <line x1={at[0] + gap} x2={view.width} y1={at[1]} y2={at[1]} />
          <line x1={at[0]} x2={at[0]} y1={0} y2={at[1] - gap} />
          <line x1={at[0]} x2={at[0]} y1={at[1] + gap} y2={view.height} />
        </g>
      )}
      {under && (
        <g className={styles.pointer}>
          <line x1={under[0] - arm} x2={under[0] + arm} y1={under[1]} y2={under[1]} />
          <line x1={under[0]} x2={under[0]} y1={under[1] - arm} y2={under[1] + arm} />
        </g>
      )}
    </>
  );
}
