import { t } from '@lingui/core/macro';
import type { VolumeViewport3D } from '@cornerstonejs/core';
import { ActionIcon, Button, Select, Tooltip } from '@mantine/core';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { IconCrop, IconCube3dSphere } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { cropRendering } from '#reading/viewer/volumes/crop-rendering.ts';
import { type Crop, isWhole, wholeVolume } from '#reading/viewer/volumes/cropping.ts';
import { renderingPresetsFor } from '#reading/viewer/volumes/rendering-presets.ts';
import { turnRendering, turnStep } from '#reading/viewer/volumes/turn-rendering.ts';
import type { Volume } from '#reading/viewer/volumes/volume.ts';
import { VolumeRendering } from '#reading/viewer/volumes/volume-rendering.tsx';
import { PaddingInRendering } from '#reading/viewer/volumes/padding-in-slab.tsx';
import { CropControl } from './crop-control.tsx';
import styles from './mpr-stage.module.css';
import type { MprState } from './use-mpr-state.ts';

type Props = { viewBox: ViewBox; volume: Volume; series: SeriesSummary; desk: MprState; isComplete: boolean };

/** Fourth viewport: the rendered volume. It appears on request, once all slices are loaded. */
export function RenderingPane({ viewBox, volume, series, desk, isComplete }: Props) {
  const presets = renderingPresetsFor(series.modality);
  const [preset, setPreset] = useState(presets[0].name);
  const [viewport, setViewport] = useState<VolumeViewport3D>();
  const [crop, setCrop] = useState<Crop>(wholeVolume);
  useEffect(() => (viewport ? cropRendering(viewport, volume.content, crop) : undefined), [viewport, volume, crop]);
  if (!desk.isRendering || !isComplete) {
    return <Offer isWaiting={desk.isRendering} onOpen={desk.toggleRendering} />;
  }
  return (
    <section
      aria-label={t`Volume rendering`}
      className={styles.pane}
      data-large={desk.large === 'rendering'}
      tabIndex={0}
      onKeyDown={(event) => viewport && turnByKey(event, viewport)}
      onDoubleClick={() => desk.toggleLarge('rendering')}
    >
      <VolumeRendering viewBox={viewBox} volume={volume} preset={preset} onViewport={setViewport} />
      <div className={styles.presets} onDoubleClick={(event) => event.stopPropagation()}>
        <Select
          aria-label={t`Rendering preset`}
          data={presets.map(({ label, name }) => ({ label, value: name }))}
          value={preset}
          allowDeselect={false}
          onChange={(name) => name && setPreset(name)}
        />
        <Tooltip label={t`Crop (C)`}>
          <ActionIcon
            variant="default"
            aria-label={t`Crop`}
            aria-pressed={desk.isCropping}
            onClick={desk.toggleCropping}
          >
            <IconCrop size={16} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <span>{t`Not for measuring`}</span>
        {!isWhole(crop) && <strong>{t`Cropped`}</strong>}
        <PaddingInRendering images={volume.images} />
      </div>
      {desk.isCropping && <CropControl grid={volume.content} crop={crop} onCrop={setCrop} />}
    </section>
  );
}

type OfferProps = { isWaiting: boolean; onOpen: () => void };

const Offer = ({ isWaiting, onOpen }: OfferProps) => (
  <div className={`${styles.pane} ${styles.offer}`}>
    <IconCube3dSphere size={28} stroke={1.3} aria-hidden />
    <Button variant="default" disabled={isWaiting} onClick={onOpen}>
      {isWaiting ? t`Waiting for all slices…` : t`Volume rendering (0)`}
    </Button>
    <p>{t`Slow without graphics acceleration.`}</p>
  </div>
);

const turnsByKey: Record<string, { right?: number; up?: number }> = {
  ArrowLeft: { right: -turnStep },
  ArrowRight: { right: turnStep },
  ArrowUp: { up: turnStep },
  ArrowDown: { up: -turnStep },
};

/**
 * Rotates the volume by arrow keys while the viewport has the focus. Without the focus, these keys act on the planes.
 */
const turnByKey = (event: KeyboardEvent, viewport: VolumeViewport3D) => {
  const way = event.target === event.currentTarget ? turnsByKey[event.key] : undefined;
  if (!way) return;
  event.preventDefault();
  event.stopPropagation();
  turnRendering(viewport, way);
};
