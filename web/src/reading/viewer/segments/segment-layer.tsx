import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useMemo, useRef } from 'react';
import { errorMessageOf } from '#core/http/api.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { place, regionPlacementOf } from './placement.ts';
import type { SegmentDisplay } from './segment-display.ts';
import styles from './segment-layer.module.css';
import { type PlacedSet, usePainting } from './use-painting.ts';
import { type Sets, useSegmentSets } from './use-segment-sets.ts';

type Props = {
  view: View;
  /** Study of the images in the view. */
  study: StudyDetails;
  display: SegmentDisplay;
};

/** Draws segments over an image, and warns about missing segments. */
export function SegmentLayer({ view, study, display }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const segmentSets = useSegmentSets(study, display.series);
  const placed = usePlacements(segmentSets, view, study);
  const painting = usePainting(canvas, { view, placed, hidden: display.hidden, look: display.look });
  const words = wordsOf(segmentSets, placed) || (painting.state === 'failed' && notShown(painting.reason));
  // A saved picture waits until the segments are drawn.
  const state = segmentSets.isPending ? 'coming' : painting.state;
  return (
    <>
      <canvas
        ref={canvas}
        className={styles.layer}
        aria-hidden
        data-testid="segments"
        data-state={state}
        data-picture-layer="areas"
      />
      <p className={styles.words} role="status" data-picture-fact={words ? t`Not all segments are drawn` : undefined}>
        {words || (painting.state === 'coming' && <span className={styles.late}>{t`Loading segments…`}</span>)}
      </p>
    </>
  );
}

const notShown = (reason: string): string => t`Segments are not shown: ${reason}`;

const usePlacements = ({ sets }: Sets, view: View, { studyInstanceUID }: StudyDetails): readonly PlacedSet[] =>
  useMemo(
    () => sets.map((set) => ({ set, ...place(set, { studyInstanceUID, images: view.images }) })),
    [sets, view, studyInstanceUID],
  );

/**
 * Returns a warning about segments that are loading or cannot be placed. Without the warning, an image could look as if
 * it had no segments.
 */
const wordsOf = ({ isPending, error }: Sets, placedSets: readonly PlacedSet[]): string => {
  if (isPending) return t`Loading segments…`;
  if (error) return notShown(errorMessageOf(error, t`The data could not be loaded.`));
  const standings = placedSets.flatMap((placedSet) =>
    placedSet.set.regions.map((region) => regionPlacementOf(placedSet.set, region, placedSet)),
  );
  const total = standings.length;
  const missing = standings.filter(({ isWrong }) => isWrong).length;
  if (missing === 0) return '';
  return standings.every(({ images }) => images.length === 0)
    ? t`No segments can be shown on these images. Press K for the list.`
    : t`${missing} of ${total} segments cannot be shown completely. Press K for the list.`;
};
