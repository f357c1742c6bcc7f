import { t } from '@lingui/core/macro';
import { measuredParts } from '@radwork/contract/reading/measurement-text';
import type { FusionState } from '#reading/viewer/fusion/fusion-state.ts';
import styles from '#reading/viewer/fusion/panes/fusion-pane.module.css';
import { circleOf } from './sphere-drawing.ts';
import { spheresOn } from './sphere-measuring.ts';
import { type Sphere, statisticsOf } from './suv-sphere.ts';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';
import { petValueText } from '#reading/viewer/fusion/pet/pet-scale.ts';

type Props = { view: DrawnView; state: FusionState; drawing: { id: string; sphere: Sphere } | undefined };

const line = 15;

/** Draws the circles where the spheres on the PET cut the plane, with their values. */
export function Spheres({ view, state, drawing }: Props) {
  const { linked, pair, measured, fusion } = state;
  const onPlane = view.toPatient(0, 0);
  const storedSpheres = spheresOn(pair.uptake.series.seriesInstanceUID, measured.inVolumes);
  const shownSpheres = [
    ...storedSpheres
      .filter(({ id }) => id !== drawing?.id)
      .map(({ id, sphere, drawn }) => ({ id, sphere, words: measuredParts(drawn.values) })),
    ...(drawing ? [{ ...drawing, words: wordsOf(state, drawing.sphere) }] : []),
  ];
  return linked.point
    ? shownSpheres.map(({ id, sphere, words }) => {
        const circle = circleOf(view, onPlane, sphere);
        if (!circle) return null;
        const { x, y, radius } = circle;
        return (
          <g key={id} className={styles.sphere} data-selected={id === fusion.selected}>
            <circle cx={x} cy={y} r={radius} />
            <circle className={styles.middle} cx={x} cy={y} r={1.5} />
            {words.map((word, index) => (
              <text key={word} x={x + radius + 8} y={y + (index - (words.length - 1) / 2) * line}>
                {word}
              </text>
            ))}
          </g>
        );
      })
    : null;
}

/** Returns the values shown while the user draws. They lack the peak, which takes longer to compute. */
const wordsOf = ({ uptake, scale }: FusionState, sphere: Sphere): string[] => {
  if (!uptake.isComplete) return [t`PET is loading`];
  const statistics = statisticsOf(uptake.voxels, sphere);
  if (!statistics) return [t`partly outside the PET`];
  const mean = petValueText(statistics.mean, scale);
  const max = petValueText(statistics.max, scale);
  return [t`mean ${mean}`, t`max ${max}`];
};
