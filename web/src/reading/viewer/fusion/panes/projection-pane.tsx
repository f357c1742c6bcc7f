import { t } from '@lingui/core/macro';
import { Enums } from '@cornerstonejs/core';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { OtherPatients } from '#reading/viewer/shell/other-patient-warning.tsx';
import { type Plane, PlaneViewport, type Volumes } from '#reading/viewer/volumes/plane-viewport.tsx';
import { Crosshair } from './crosshair.tsx';
import { EdgeLetters } from './edge-letters.tsx';
import type { FusionState } from '#reading/viewer/fusion/fusion-state.ts';
import styles from './fusion-pane.module.css';
import { petWindowText } from '#reading/viewer/fusion/pet/pet-scale.ts';
import { diagonalOf, hottestOn, viewFrom, viewText } from './projection-rotation.ts';
import { type DrawnView, useDrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';
import { PaddingInSlab } from '#reading/viewer/volumes/padding-in-slab.tsx';
import type { Slab } from '#reading/viewer/volumes/slab.ts';
import { type DragHandlers, usePaneDrag } from '#reading/viewer/fusion/pointer/use-pane-drag.ts';
import { pointOf, type VoxelGrid } from '#reading/viewer/fusion/pet/voxel-grid.ts';

const middleOf = (grid: VoxelGrid) => {
  const [i, j, k] = grid.dimensions;
  return pointOf(grid, [(i - 1) / 2, (j - 1) / 2, (k - 1) / 2]);
};

/** Returns the scale in CSS pixels per mm at which the volume fits from every direction. */
const steadyScale = ({ dimensions, spacing }: VoxelGrid, { clientWidth, clientHeight }: HTMLElement): number => {
  const [across, deep, high] = dimensions.map((count, axis) => count * (spacing[axis] ?? 0));
  return Math.min(clientWidth / Math.hypot(across ?? 0, deep ?? 0), clientHeight / (high ?? 0));
};

/** Returns the current scale in CSS pixels per mm. */
const scaleOf = (viewport: Plane['viewport']): number => {
  const [one, other] = [viewport.canvasToWorld([0, 0]), viewport.canvasToWorld([100, 0])];
  return 100 / Math.hypot(other[0] - one[0], other[1] - one[1], other[2] - one[2]);
};

/** Shows the maximum intensity projection of the whole PET at the current angle. */
const useProjection = ({ linked, uptake, windows, fusion }: FusionState, size: string) => {
  const plane = linked.planes.projection;
  useEffect(() => {
    if (!plane) return;
    plane.viewport.setDisplaySetPresentation(uptake.volume.volumeId, {
      voiRange: windows.uptake,
      invert: true,
      slabThickness: diagonalOf(uptake.voxels),
      blendMode: Enums.BlendModes.MAXIMUM_INTENSITY_BLEND,
    });
    plane.viewport.render();
  }, [plane, uptake, windows.uptake]);

  useEffect(() => {
    if (!plane) return;
    const { normal, up } = viewFrom(fusion.degrees);
    const [left, posterior, superior] = middleOf(uptake.voxels);
    const { viewport } = plane;
    viewport.setViewState({
      orientation: { viewPlaneNormal: [normal[0], normal[1], normal[2]], viewUp: [up[0], up[1], up[2]] },
      slice: { kind: 'volumePoint', sliceWorldPoint: [left, posterior, superior] },
      scale: [1, 1],
    });
    // Uses one scale for all angles. Fitting each angle would make the patient grow and shrink during rotation.
    const factor = steadyScale(uptake.voxels, viewport.element) / scaleOf(viewport);
    if (Number.isFinite(factor)) viewport.setViewState({ scale: [factor, factor] });
    viewport.render();
  }, [plane, uptake, fusion.degrees, size]);
};

/** The projection is a maximum through all slices. */
const wholeSlab: Slab = { kind: 'maximum', thickness: Infinity };

/** Rotation speed: degrees per step, and milliseconds between steps. */
const step = 6;
const pause = 90;

/** Rotates continuously. Each step waits until the previous step is drawn. */
const useTurning = ({ linked, fusion }: FusionState) => {
  const plane = linked.planes.projection;
  const { isTurning, turn } = fusion;
  useEffect(() => {
    if (!plane || !isTurning) return undefined;
    const { element } = plane.viewport;
    let timer = setTimeout(() => turn(step), pause);
    const onDrawn = () => {
      clearTimeout(timer);
      timer = setTimeout(() => turn(step), pause);
    };
    element.addEventListener(Enums.Events.IMAGE_RENDERED, onDrawn);
    return () => {
      clearTimeout(timer);
      element.removeEventListener(Enums.Events.IMAGE_RENDERED, onDrawn);
    };
    // `turn` is a new function on each render but always does the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [plane, isTurning]);
};

/** Rotation in degrees per CSS pixel of a drag. */
const pull = 0.6;

const handOf = ({ linked, uptake, fusion }: FusionState, view: DrawnView): DragHandlers => {
  fusion.setTurning(false);
  return {
    move: (_at, by) => fusion.turn(-by.x * pull),
    end: ({ x, y }, isClick) => {
      const hottest = isClick ? hottestOn(uptake.voxels, view.toPatient(x, y), view.normal) : undefined;
      if (hottest) linked.goTo(hottest);
    },
  };
};

/**
 * Rotating projection of the whole PET. A drag rotates it. A click moves the other panes to the voxel with the highest
 * value along the line of sight.
 */
export function ProjectionPane({ state }: { state: FusionState }) {
  const { viewBox, linked, uptake, fusion, scale, windows } = state;
  const volumes = useMemo((): Volumes => [uptake.volume], [uptake.volume]);
  const plane = linked.planes.projection;
  const view = useDrawnView(plane);
  useProjection(state, view ? `${view.width} ${view.height}` : '');
  useTurning(state);
  const hands = usePaneDrag(
    () => (view ? handOf(state, view) : undefined),
    () => state.onHover(undefined),
  );

  useEffect(() => {
    // Removes the tools to scroll and pan, because the projection always shows all slices.
    if (plane) viewBox.tools.removeViewports(viewBox.engine.id, plane.viewport.id);
  }, [viewBox, plane]);

  if (!uptake.isComplete) return <p className={styles.waiting}>{t`Loading PET…`}</p>;
  const direction = viewText(fusion.degrees);
  return (
    <div className={styles.hands}>
      <div className={styles.hands} {...hands} onWheel={({ deltaY }) => fusion.turn(Math.sign(deltaY) * step)}>
        <PlaneViewport
          viewBox={viewBox}
          volumes={volumes}
          orientation="coronal"
          name="projection"
          onPlane={linked.onPlane.projection}
        />
      </div>
      {view && (
        <>
          <svg className={styles.drawing}>
            <Crosshair view={view} state={state} name="projection" />
          </svg>
          <EdgeLetters view={view} />
        </>
      )}
      <div className={styles.words}>
        <div className={styles.topLeft}>
          <strong>{t`Projection`}</strong>
          <span>{t`Maximum, ${direction}`}</span>
          <OtherPatients images={state.pair.uptake.images} patientId={state.patientId} />
          <PaddingInSlab images={state.pair.uptake.images} slab={wholeSlab} />
        </div>
        <div className={styles.bottomLeft}>
          <span>{petWindowText(windows.uptake, scale)}</span>
        </div>
      </div>
      <Tooltip position="left" label={fusion.isTurning ? t`Pause (Space)` : t`Rotate (Space)`}>
        <ActionIcon
          className={styles.turn ?? ''}
          aria-label={fusion.isTurning ? t`Pause the projection` : t`Rotate the projection`}
          onClick={() => fusion.setTurning(!fusion.isTurning)}
        >
          {fusion.isTurning ? <IconPlayerPause size={17} /> : <IconPlayerPlay size={17} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
