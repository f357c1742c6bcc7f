import { t } from '@lingui/core/macro';
import type { KeyboardEvent, PointerEvent } from 'react';
import { moveByPhase } from '#reading/viewer/engine/stack/move-by-phase.ts';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { ImagePhase } from '#reading/viewer/images/series/image-phases.ts';
import { phasesAt } from '#reading/viewer/images/series/phase-axes.ts';
import { phaseText } from '#reading/viewer/images/series/phase-text.ts';
import styles from './phase-track.module.css';

/** Keys of a slider (WAI-ARIA), with the phases they move by. The other arrow keys move the slice. */
const steps: Partial<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};

type Props = { view: View; index: number; phase: ImagePhase };

/** Phase of the shown slice. Dragging and the arrow keys show the slice in other phases. */
export function PhaseTrack({ view, index, phase }: Props) {
  const { viewport, images } = view;
  const follow = ({ currentTarget, clientX, buttons }: PointerEvent<HTMLDivElement>) => {
    if (buttons !== 1) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.max(0, Math.min(phase.count - 1, Math.floor(((clientX - left) / width) * phase.count)));
    const target = phasesAt(images, index).find((image) => (image.phase?.at ?? 0) >= at);
    if (target) goToImage(viewport, images.indexOf(target));
  };

  const step = (event: KeyboardEvent) => {
    const by = steps[event.key];
    if (by === undefined) return;
    // Prevents the viewer from acting on the same keys.
    event.preventDefault();
    event.stopPropagation();
    moveByPhase(view, by);
  };

  return (
    <div
      role="slider"
      aria-label={t`Phase at this position`}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={phase.count}
      aria-valuenow={phase.at + 1}
      aria-valuetext={phaseText(phase)}
      tabIndex={0}
      className={styles.track}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        follow(event);
      }}
      onPointerMove={follow}
      onKeyDown={step}
    >
      <div className={styles.thumb} style={{ left: `${((phase.at + 0.5) / phase.count) * 100}%` }} />
    </div>
  );
}
