import { t } from '@lingui/core/macro';
import { useEffect, useMemo, useState } from 'react';
import { OtherPatients } from '#reading/viewer/shell/other-patient-warning.tsx';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { sliceLocation } from '#reading/viewer/images/geometry/orientation.ts';
import { PlaneViewport, type Volumes } from '#reading/viewer/volumes/plane-viewport.tsx';
import { windowText } from '#reading/viewer/images/gray/gray-window.ts';
import { ScaleBar } from '#reading/viewer/scales/scale-bar.tsx';
import { colorAt, libraryColorMap } from '#reading/viewer/fusion/pet/color-maps.ts';
import { Crosshair } from './crosshair.tsx';
import { EdgeLetters } from './edge-letters.tsx';
import { anatomyText, type FusionState, type Layer } from '#reading/viewer/fusion/fusion-state.ts';
import { labelOf, type SlicePane as Pane } from './pane-names.ts';
import { petValueText, petWindowText } from '#reading/viewer/fusion/pet/pet-scale.ts';
import styles from './fusion-pane.module.css';
import overlays from '#reading/viewer/shell/overlays.module.css';
import { Spheres } from '#reading/viewer/fusion/spheres/spheres.tsx';
import { PlaneLayers } from '#reading/viewer/plane-layers/plane-layers.tsx';
import type { Sphere } from '#reading/viewer/fusion/spheres/suv-sphere.ts';
import { useDrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';
import { useHover } from '#reading/viewer/fusion/pointer/use-hover.ts';
import { usePaneDrag } from '#reading/viewer/fusion/pointer/use-pane-drag.ts';
import { useSliceDrag } from '#reading/viewer/fusion/pointer/use-slice-drag.ts';
import { valueAt } from '#reading/viewer/fusion/pet/voxel-grid.ts';

/** Applies windows, colors and opacity of both series to a pane, again after each change. */
const usePresentation = (name: Pane, { linked, anatomy, uptake, windows, fusion }: FusionState) => {
  const plane = linked.planes[name];
  const { colours, opacity } = fusion;
  useEffect(() => {
    if (!plane) return;
    const { viewport, volumes } = plane;
    const shows = (volumeId: string) => volumes.some((volume) => volume.volumeId === volumeId);
    viewport.setDisplaySetPresentation(anatomy.volume.volumeId, {
      voiRange: windows.anatomy,
      visible: name !== 'uptake',
    });
    if (shows(uptake.volume.volumeId)) {
      viewport.setDisplaySetPresentation(uptake.volume.volumeId, {
        voiRange: windows.uptake,
        ...(name === 'uptake'
          ? { invert: true }
          : // Uses one opacity for all values, because the imaging library blends wrongly with one opacity per value (5.14.0).
            { colormap: { name: libraryColorMap(colours), opacity: opacity / 100 } }),
      });
    }
    viewport.render();
  }, [plane, name, anatomy.volume, uptake.volume, windows.anatomy, windows.uptake, colours, opacity]);
};

/** Pane with a slice through the anatomy, the uptake, or both fused. All three panes show the same plane. */
export function SlicePane({ name, state }: { name: Pane; state: FusionState }) {
  const { viewBox, linked, layers, anatomy, uptake } = state;
  // The uptake pane also contains the anatomy, so that all panes use its planes and show the same slice of the patient.
  const volumes = useMemo(
    (): Volumes => (name === 'anatomy' ? [anatomy.volume] : [anatomy.volume, uptake.volume]),
    [name, anatomy.volume, uptake.volume],
  );
  const plane = linked.planes[name];
  const view = useDrawnView(plane);
  const [drawing, setDrawing] = useState<{ id: string; sphere: Sphere }>();
  usePresentation(name, state);
  const take = useSliceDrag(name, state, view, drawing, setDrawing);
  const hands = usePaneDrag(take, useHover(name, view, state.onHover));
  return (
    <div className={styles.hands} {...hands}>
      <PlaneViewport
        viewBox={viewBox}
        volumes={volumes}
        orientation="axial"
        name={name}
        onPlane={linked.onPlane[name]}
      />
      {view && (
        <>
          {plane && <PlaneLayers {...{ plane, layers }} scaleSide={name === 'fused' ? 'left' : 'right'} />}
          <svg className={styles.drawing}>
            <Crosshair view={view} state={state} name={name} />
            <Spheres view={view} state={state} drawing={drawing} />
          </svg>
          <Words name={name} state={state} />
          {name === 'fused' && <UptakeBar state={state} />}
          <EdgeLetters view={view} />
        </>
      )}
    </div>
  );
}

/** Scale of the colors over the anatomy, at the current window. */
function UptakeBar({ state: { windows, fusion, scale } }: { state: FusionState }) {
  return (
    <ScaleBar
      {...windows.uptake}
      colorAt={(share) => colorAt(fusion.colours, share)}
      unit={scale.unit}
      name={t`Uptake`}
    />
  );
}

/** Text over a slice. */
function Words({ name, state }: { name: Pane; state: FusionState }) {
  const { pair, linked, windows, scale, patientId } = state;
  const isLoading = !state.anatomy.isComplete || (name !== 'anatomy' && !state.uptake.isComplete);
  const shownSeries = [...(name === 'uptake' ? [] : [pair.anatomy]), ...(name === 'anatomy' ? [] : [pair.uptake])];
  const label = labelOf(name, { anatomy: pair.anatomy.series.modality, uptake: pair.uptake.series.modality });
  return (
    <div className={styles.words}>
      <div className={styles.topLeft}>
        <strong>{label}</strong>
        {shownSeries.map(({ series, images }) => (
          <span key={series.id}>
            {series.seriesNumber !== null && `${series.seriesNumber} `}
            {series.seriesDescription}
            <OtherPatients images={images} patientId={patientId} />
          </span>
        ))}
        {isLoading && <span className={overlays.caution}>{t`Loading: hatched parts have not arrived`}</span>}
      </div>
      <div className={styles.topRight}>{linked.point && <span>{locationOf(state)}</span>}</div>
      <div className={styles.bottomLeft}>
        {name !== 'uptake' && <span>{windowText(windows.anatomy, false)}</span>}
        {name !== 'anatomy' && <span>{petWindowText(windows.uptake, scale)}</span>}
      </div>
      <div className={styles.bottomRight}>
        <Values name={name} state={state} />
      </div>
    </div>
  );
}

const normals = {
  axial: { along: [1, 0, 0], down: [0, 1, 0] },
  coronal: { along: [1, 0, 0], down: [0, 0, -1] },
  sagittal: { along: [0, 1, 0], down: [0, 0, -1] },
} as const;

const locationOf = ({ linked: { point, orientation } }: FusionState): string =>
  point ? sliceLocation({ position: point, ...normals[orientation] }) : '';

/** Returns the value of a series at a point. Empty outside the series, at padding and at a missing slice. */
const valueText = ({ voxels, isComplete }: Layer, point: Vector, textOf: (value: number) => string): string => {
  const value = valueAt(voxels, point);
  if (value === undefined) return '';
  if (Number.isFinite(value)) return textOf(value);
  return isComplete ? '' : t`loading`;
};

/** Shows the values of both series under the pointer, or else at the shared point. */
function Values({ name, state }: { name: Pane; state: FusionState }) {
  const { hover, linked, anatomy, uptake, pair, scale } = state;
  const point = (hover?.pane === 'projection' ? undefined : hover?.point) ?? linked.point;
  if (!point) return null;
  const [below, above] = [
    valueText(anatomy, point, (value) => anatomyText(value, pair)),
    valueText(uptake, point, (value) => petValueText(value, scale)),
  ];
  return (
    <>
      {name !== 'uptake' && below && <span data-testid="anatomy-value">{below}</span>}
      {name !== 'anatomy' && above && <span data-testid="uptake-value">{above}</span>}
    </>
  );
}
