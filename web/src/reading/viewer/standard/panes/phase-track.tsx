import { t } from '@lingui/core/macro';
import type { PointerEvent } from 'react';
import { goToImage } from '#reading/viewer/engine/stack/view-commands.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import type { ImagePhase } from '#reading/viewer/images/series/image-phases.ts';
import { phasesAt } from '#reading/viewer/images/series/phase-axes.ts';
import { phaseText } from '#reading/viewer/images/series/phase-text.ts';
import styles from './phase-track.module.css';

type Props = { view: View; index: number; phase: ImagePhase };

/** Phase of the shown slice. Dragging shows the slice in other phases. */
export function PhaseTrack({ view: { viewport, images }, index, phase }: Props) {
  const follow = ({ currentTarget, clientX, buttons }: PointerEvent<HTMLDivElement>) => {
    if (buttons !== 1) return;
    const { left, width } = currentTarget.getBoundingClientRect();
    const at = Math.max(0, Math.min(phase.count - 1, Math.floor(((clientX - left) / width) * phase.count)));
    const there = phasesAt(images, index).find((image) => (image.phase?.at ?? 0) >= at);
    if (there) goToImage(viewport, images.indexOf(there));
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
    >
      <div className={styles.thumb} style={{ left: `${((phase.at + 0.5) / phase.count) * 100}%` }} />
    </div>
  );
}
