import { edgesOfPlane } from '#reading/viewer/images/geometry/orientation.ts';
import styles from './fusion-pane.module.css';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';

/** Orientation letters at the edges of a plane. */
export function EdgeLetters({ view: { right, down } }: { view: DrawnView }) {
  const edges = edgesOfPlane(right, down);
  return (
    <div className={styles.words}>
      <span className={styles.left}>{edges.left}</span>
      <span className={styles.right}>{edges.right}</span>
      <span className={styles.top}>{edges.top}</span>
      <span className={styles.bottom}>{edges.bottom}</span>
    </div>
  );
}
