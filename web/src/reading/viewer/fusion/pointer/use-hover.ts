import { useEffect, useRef } from 'react';
import type { FusionState } from '#reading/viewer/fusion/fusion-state.ts';
import type { SlicePane } from '#reading/viewer/fusion/panes/pane-names.ts';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';

type Spot = { x: number; y: number };

/**
 * Reports the patient coordinates under the pointer, even if only the image moves. Returns a function to call when the
 * pointer moves, and with undefined when the pointer leaves.
 */
export const useHover = (name: SlicePane, view: DrawnView | undefined, onHover: FusionState['onHover']) => {
  const spot = useRef<Spot>(undefined);
  useEffect(() => {
    if (view && spot.current) onHover({ pane: name, point: view.toPatient(spot.current.x, spot.current.y) });
  }, [name, view, onHover]);
  useEffect(() => () => onHover(undefined), [onHover]);
  return (at: Spot | undefined) => {
    spot.current = at;
    onHover(at && view ? { pane: name, point: view.toPatient(at.x, at.y) } : undefined);
  };
};
