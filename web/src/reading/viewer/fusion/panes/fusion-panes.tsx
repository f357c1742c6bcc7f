import { useEffect, useMemo, useState } from 'react';
import { PaneSwitch } from '#ui/layout/pane-switch.tsx';
import type { Measurements } from '#reading/viewer/measuring/use-measurements.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import { type Arrival, loadAround, type Volume } from '#reading/viewer/volumes/volume.ts';
import type { FusionPair } from '#reading/viewer/fusion/pet/fusion-pairs.ts';
import { type FusionState, windowsOf } from '#reading/viewer/fusion/fusion-state.ts';
import styles from './fusion-panes.module.css';
import { labelOf, type PaneName, paneNames } from './pane-names.ts';
import type { PetScale } from '#reading/viewer/fusion/pet/pet-scale.ts';
import { ProjectionPane } from './projection-pane.tsx';
import { SlicePane } from './slice-pane.tsx';
import type { Fusion } from '#reading/viewer/fusion/use-fusion.ts';
import type { PlaneLayersShown } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import type { LinkedPlanes } from './use-linked-planes.ts';
import { voxelsOf } from '#reading/viewer/fusion/pet/volume-voxels.ts';

export type LoadedVolume = { volume: Volume; arrival: Arrival; isComplete: boolean; retry: () => void };

type Props = {
  viewBox: ViewBox;
  pair: FusionPair;
  scale: PetScale;
  fusion: Fusion;
  linked: LinkedPlanes;
  layers: PlaneLayersShown;
  measured: Measurements;
  patientId: string;
  anatomy: LoadedVolume;
  uptake: LoadedVolume;
};

/** Shows the four panes of a fusion, or only the enlarged pane. */
export function FusionPanes(props: Props) {
  const { pair, scale, fusion, anatomy, uptake } = props;
  const { windows } = fusion;
  const [hover, onHover] = useState<FusionState['hover']>();
  const state: FusionState = {
    ...props,
    anatomy: useLayer(anatomy),
    uptake: useLayer(uptake),
    windows: useMemo(() => windowsOf(pair, scale, windows), [pair, scale, windows]),
    hover,
    onHover,
  };
  const { point } = props.linked;
  useEffect(() => {
    if (point) for (const { volume } of [anatomy, uptake]) loadAround(volume, point);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Each arrival makes new objects of the same volumes.
  }, [anatomy.volume, uptake.volume, point]);
  const modalities = { anatomy: pair.anatomy.series.modality, uptake: pair.uptake.series.modality };
  const shownPanes = paneNames.filter((name) => fusion.layout === 'four' || name === fusion.pane);
  return (
    <div className={styles.stage}>
      {fusion.layout === 'one' && (
        <div className={styles.switch}>
          <PaneSwitch
            panes={paneNames.map((name) => [name, labelOf(name, modalities)] as const)}
            current={fusion.pane}
            onPane={fusion.enter}
          />
        </div>
      )}
      <div className={styles.panes} data-layout={fusion.layout}>
        {shownPanes.map((name) => (
          <section
            key={name}
            aria-label={labelOf(name, modalities)}
            className={styles.pane}
            data-current={fusion.layout === 'four' && name === fusion.pane}
            onPointerDown={() => fusion.enter(name)}
            onWheel={() => fusion.enter(name)}
          >
            <Picture name={name} state={state} />
          </section>
        ))}
      </div>
    </div>
  );
}

function Picture({ name, state }: { name: PaneName; state: FusionState }) {
  return name === 'projection' ? <ProjectionPane state={state} /> : <SlicePane name={name} state={state} />;
}

const useLayer = ({ volume, isComplete }: LoadedVolume) =>
  useMemo(() => ({ volume, isComplete, voxels: voxelsOf(volume) }), [volume, isComplete]);
