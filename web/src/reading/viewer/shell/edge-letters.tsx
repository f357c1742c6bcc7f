import type { Edges } from '#reading/viewer/images/geometry/orientation.ts';
import styles from './overlays.module.css';

/** Orientation letters at the edges of an image. */
export function EdgeLetters({ edges }: { edges: Edges | undefined }) {
  if (!edges) return null;
  return (
    <>
      <span className={styles.left}>{edges.left}</span>
      <span className={styles.right}>{edges.right}</span>
      <span className={styles.top}>{edges.top}</span>
      <span className={styles.bottom}>{edges.bottom}</span>
    </>
  );
}
