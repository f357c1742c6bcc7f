import { t } from '@lingui/core/macro';
import { EdgeLetters } from '#reading/viewer/shell/edge-letters.tsx';
import type { ReactNode } from 'react';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { FrameCountWarning } from '#reading/viewer/shell/frame-count-warning.tsx';
import { LossyWarning } from '#reading/viewer/shell/lossy-warning.tsx';
import { OtherPatientWarning } from '#reading/viewer/shell/other-patient-warning.tsx';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { UndrawnGraphics } from '#reading/viewer/shell/undrawn-graphics.tsx';
import styles from '#reading/viewer/shell/overlays.module.css';
import { calibrationText, useCalibration } from '#reading/viewer/measuring/manual-calibration.ts';
import { ViewName } from './view-name.tsx';
import { phaseText, placeText } from '#reading/viewer/images/series/phase-text.ts';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';

type Props = {
  series: SeriesSummary;
  count: number;
  shownImage: ShownImage;
  /** Patient ID as stored in the archive. */
  patientId: string;
  /** Further text about the pane, such as its link. */
  note?: string;
  /** Whether any user has marked the image as key image. */
  isKeyImage?: boolean;
  /** Whether this is the first image, drawn before the imaging library is ready. */
  isFirst?: boolean;
};

/** Text over an image. Every value must belong to the image that is drawn. */
export function Overlays({ series, count, shownImage, patientId, note, isKeyImage = false, isFirst = false }: Props) {
  const { image, index, edges } = shownImage;
  const { frame } = image;
  const { seriesNumber } = series;
  const zoom = Math.round(shownImage.magnification * 100);
  const calibration = useCalibration(image.imageId);
  const side = sideForTexts(shownImage);
  return (
    <div className={styles.overlays} data-has-phases={image.phase !== undefined || undefined}>
      <Corners side={side} at="top">
        <div className={styles.topLeft}>
          <ViewName header={image.header} />
          <span>
            {seriesNumber !== null && t`Series ${seriesNumber}`} {series.seriesDescription}
          </span>
          <span className={styles.modality}>{series.modality}</span>
          <OtherPatientWarning header={image.header} patientId={patientId} />
          <UndrawnGraphics header={image.header} />
          <FrameCountWarning header={image.header} />
          {calibration && (
            <strong className={styles.caution}>
              {calibrationText(calibration)} ({calibration.author})
            </strong>
          )}
        </div>
        <div className={styles.topRight}>
          {isKeyImage && <span className={styles.keyImage}>{`★ ${t`Key image`}`}</span>}
          <span>{shownImage.location}</span>
          <span>{shownImage.thickness}</span>
          <LossyWarning header={image.header} />
        </div>
      </Corners>
      <Corners side={side} at="bottom">
        <div className={styles.bottomLeft}>
          <span>
            {shownImage.window}
            {shownImage.isInverted && `  ${t`inverted`}`}
          </span>
          <span>{t`Zoom ${zoom}%`}</span>
        </div>
        <div className={styles.bottomRight}>
          {note && <span className={styles.note}>{note}</span>}
          <span data-testid={isFirst ? undefined : 'image-number'}>
            {index + 1} / {count}
          </span>
          {image.phase && (
            <span data-picture-fact={phaseText(image.phase)} data-testid={isFirst ? undefined : 'phase'}>
              {phaseText(image.phase)}
            </span>
          )}
          {image.phase && placeText(image.phase) !== '' && <span>{placeText(image.phase)}</span>}
          {image.numberOfFrames > 1 && count > image.numberOfFrames && <span>{t`Frame ${frame}`}</span>}
        </div>
      </Corners>
      <EdgeLetters edges={edges} />
    </div>
  );
}

/** Two corners of an image. With `side`, their texts are below each other at that side. */
const Corners = ({ side, at, children }: { side: 'left' | 'right' | undefined; at: string; children: ReactNode }) =>
  side ? (
    <div className={styles.aside} data-side={side} data-at={at}>
      {children}
    </div>
  ) : (
    children
  );

/**
 * Returns the side for the texts of a mammogram as it is drawn: opposite the chest wall, where there is air. Undefined
 * for other images, and if the direction is unknown.
 */
const sideForTexts = ({ image, edges }: ShownImage): 'left' | 'right' | undefined => {
  if (!edges || textOf(image.header, tag.Modality) !== 'MG') return undefined;
  if (edges.left.includes('P')) return 'right';
  return edges.right.includes('P') ? 'left' : undefined;
};
