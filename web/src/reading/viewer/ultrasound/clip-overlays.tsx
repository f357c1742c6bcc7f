import { t } from '@lingui/core/macro';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import { useCineState } from '#reading/viewer/engine/stack/use-cine.ts';
import { type Clip, isCine } from '#reading/viewer/images/cine/clips.ts';
import type { CinePlayer } from '#reading/viewer/images/cine/cine-player.ts';
import { calibrationText, useCalibration } from '#reading/viewer/measuring/manual-calibration.ts';
import { FrameCountWarning } from '#reading/viewer/shell/frame-count-warning.tsx';
import { LossyWarning } from '#reading/viewer/shell/lossy-warning.tsx';
import { OtherPatientWarning } from '#reading/viewer/shell/other-patient-warning.tsx';
import { UndrawnGraphics } from '#reading/viewer/shell/undrawn-graphics.tsx';
import { nameOfClip, notesOf, rateReached } from './clip-text.ts';
import styles from '#reading/viewer/shell/overlays.module.css';

type Props = { clip: Clip; player: CinePlayer; shownImage: ShownImage; patientId: string };

/** Text over a clip. Every value must belong to the frame that is drawn. */
export function ClipOverlays({ clip, player, shownImage, patientId }: Props) {
  const { isPlaying, reached, requestedRate } = useCineState(player);
  const calibration = useCalibration(shownImage.image.imageId);
  const zoom = Math.round(shownImage.magnification * 100);
  return (
    <div className={styles.overlays}>
      <div className={styles.topLeft}>
        <span>{[clip.stage, nameOfClip(clip)].filter(Boolean).join(' · ')}</span>
        <OtherPatientWarning header={clip.header} patientId={patientId} />
        <UndrawnGraphics header={clip.header} />
        <FrameCountWarning header={clip.header} />
        {calibration && <strong>{calibrationText(calibration)}</strong>}
      </div>
      <div className={styles.topRight}>
        {notesOf(clip).map((note) => (
          <span key={note}>{note}</span>
        ))}
        <LossyWarning header={clip.header} />
      </div>
      <div className={styles.bottomLeft}>
        {(shownImage.window || shownImage.isInverted) && (
          <span>
            {shownImage.window}
            {shownImage.isInverted && `  ${t`inverted`}`}
          </span>
        )}
        <span>{t`Zoom ${zoom}%`}</span>
      </div>
      <div className={styles.bottomRight}>
        {isPlaying && reached !== undefined && <span>{rateReached(reached, requestedRate)}</span>}
        <span data-testid="image-number">
          {shownImage.index + 1} / {clip.images.length}
        </span>
        {!isCine(clip) && <span>{t`Still`}</span>}
      </div>
    </div>
  );
}
