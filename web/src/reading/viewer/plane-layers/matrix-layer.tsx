import type { ReactNode } from 'react';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { ToScreen } from '#reading/viewer/presentation-states/apply-state.ts';
import styles from './plane-layers.module.css';

/** Slice of the patient on the screen, and its place there. */
export type Shown = { slice: Slice; toScreen: ToScreen };

type Props = {
  toScreen: ToScreen;
  name: string;
  /** A saved picture waits while a layer is coming. */
  state: 'coming' | 'there';
  children: ReactNode;
};

/** Draws SVG content whose coordinates are pixels of the slice. */
export function MatrixLayer({ toScreen, name, state, children }: Props) {
  const [origin, right, below] = [toScreen({ x: 0, y: 0 }), toScreen({ x: 1, y: 0 }), toScreen({ x: 0, y: 1 })];
  const matrix = [right.x - origin.x, right.y - origin.y, below.x - origin.x, below.y - origin.y, origin.x, origin.y];
  return (
    <svg className={styles.layer} aria-hidden data-testid={name} data-state={state} data-picture-layer="areas">
      <g transform={`matrix(${matrix.join(' ')})`}>{children}</g>
    </svg>
  );
}
