import { Enums } from '@cornerstonejs/core';
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useEffect, useMemo } from 'react';
import { OtherPatients } from '#viewer/shell/other-patient.tsx';
import { type Plane, PlaneViewport, type Volumes } from '#viewer/volumes/plane-viewport.tsx';
import { Crosshair } from './crosshair.tsx';
import { EdgeLetters } from './edge-letters.tsx';
import type { Room } from './fusion-room.ts';
import styles from './fusion-pane.module.css';
import { petWindowText } from './pet-scale.ts';
import { diagonalOf, hottestOn, viewFrom, viewText } from './turning.ts';
import { type DrawnView, useDrawnView } from './use-drawn-view.ts';
import { type Hand, usePaneHands } from './use-pane-hands.ts';
import { pointOf, type VoxelGrid } from './voxel-grid.ts';

const middleOf = (grid: VoxelGrid) => {
  const [i, j, k] = grid.dimensions;
  return pointOf(grid, [(i - 1) / 2, (j - 1) / 2, (k - 1) / 2]);
};

/** CSS pixels for each mm at which a volume fits into an element from whichever side it is looked at. */
const steadyScale = ({ dimensions, spacing }: VoxelGrid, { clientWidth, clientHeight }: HTMLElement): number => {
  const [across, deep, high] = dimensions.map((count, axis) => count * (spacing[axis] ?? 0));
  return Math.min(clientWidth / Math.hypot(across ?? 0, deep ?? 0), clientHeight / (high ?? 0));
};

/** CSS pixels for each mm as it is now. */
const scaleOf = (viewport: Plane['viewport']): number => {
  const [one, other] = [viewport.canvasToWorld([0, 0]), viewport.canvasToWorld([100, 0])];
  return 100 / Math.hypot(other[0] - one[0], other[1] - one[1], other[2] - one[2]);
};

/** Shows the highest number on each line through the whole PET, looked at from where it is turned to. */
const useProjection = ({ linked, uptake, windows, fusion }: Room, size: string) => {
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
    // What fits is of another size from each side: turning, the patient would grow and shrink.
    const factor = steadyScale(uptake.voxels, viewport.element) / scaleOf(viewport);
    if (Number.isFinite(factor)) viewport.setViewState({ scale: [factor, factor] });
    viewport.render();
  }, [plane, uptake, fusion.degrees, size]);
};

/** A whole turn takes as long as somebody needs to look, in steps of this many degrees and milliseconds. */
const step = 6;
const pause = 90;

/** Turns on and on, the next step when the one before has been drawn. */
const useTurning = ({ linked, fusion }: Room) => {
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
    // `turn` is another function each time and does the same.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [plane, isTurning]);
};

/** A drag turns by so many degrees for each CSS pixel. */
const pull = 0.6;

const handOf = ({ linked, uptake, fusion }: Room, view: DrawnView): Hand => {
  fusion.setTurning(false);
  return {
    move: (_at, by) => fusion.turn(-by.x * pull),
    end: ({ x, y }, isClick) => {
      const hottest = isClick ? hottestOn(uptake.voxels, view.toPatient(x, y), view.normal) : undefined;
      if (hottest) linked.goTo(hottest);
    },
  };
};

/** The whole PET at one glance, turning: a drag turns it, a click leads all other panes to the hottest spot there. */
export function ProjectionPane({ room }: { room: Room }) {
  const { viewBox, linked, uptake, fusion, scale, windows } = room;
  const volumes = useMemo((): Volumes => [uptake.volume], [uptake.volume]);
  const plane = linked.planes.projection;
  const view = useDrawnView(plane);
  useProjection(room, view ? `${view.width} ${view.height}` : '');
  useTurning(room);
  const hands = usePaneHands(
    () => (view ? handOf(room, view) : undefined),
    () => room.onHover(undefined),
  );

  useEffect(() => {
    // Its slices are all on the screen: the tools that scroll and move slices have nothing to do here.
    if (plane) viewBox.tools.removeViewports(viewBox.engine.id, plane.viewport.id);
  }, [viewBox, plane]);

  if (!uptake.isComplete) return <p className={styles.waiting}>The projection comes when the whole PET is here…</p>;
  const words = fusion.isTurning ? 'Pause' : 'Turn';
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
            <Crosshair view={view} room={room} name="projection" />
          </svg>
          <EdgeLetters view={view} />
        </>
      )}
      <div className={styles.words}>
        <div className={styles.topLeft}>
          <strong>Projection</strong>
          <span>Maximum, {viewText(fusion.degrees)}</span>
          <OtherPatients images={room.pair.uptake.images} patientId={room.patientId} />
        </div>
        <div className={styles.bottomLeft}>
          <span>{petWindowText(windows.uptake, scale)}</span>
        </div>
      </div>
      <Tooltip position="left" label={`${words} (Space)`}>
        <ActionIcon
          className={styles.turn ?? ''}
          aria-label={`${words} the projection`}
          onClick={() => fusion.setTurning(!fusion.isTurning)}
        >
          {fusion.isTurning ? <IconPlayerPause size={17} /> : <IconPlayerPlay size={17} />}
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
