import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { type PointerEvent, useCallback, useState } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { type Orientation, type Plane, PlaneViewport, type Volumes } from '#reading/viewer/volumes/plane-viewport.tsx';
import { followPointer } from '#reading/viewer/shell/follow-pointer.ts';
import { useShownPlane } from '#reading/viewer/volumes/shown-plane.ts';
import { colorOf, planeNames } from '#reading/viewer/volumes/plane-names.ts';
import { FirstCanvas } from '#reading/viewer/shell/first-canvas.tsx';
import { CrosshairLines } from './crosshair-lines.tsx';
import { moveCrossingTo, crosshairs, crossingNow } from './crosshairs.ts';
import { FirstPlane } from './first-plane.tsx';
import type { FirstPlaneView } from './first-plane-view.ts';
import styles from './mpr-stage.module.css';
import { PlaneOverlays } from './plane-overlays.tsx';
import { useIsFirst } from './use-is-first.ts';
import { PlaneLayers } from '#reading/viewer/plane-layers/plane-layers.tsx';
import type { PlaneLayersShown } from '#reading/viewer/plane-layers/use-plane-layers.ts';
import type { MprState } from './use-mpr-state.ts';

type Props = {
  viewBox: ViewBox;
  volumes: Volumes;
  orientation: Orientation;
  series: SeriesSummary;
  desk: MprState;
  layers: PlaneLayersShown;
  /** Point where the planes cross. */
  crossing: Vector | undefined;
  /** Whether slices are still arriving. */
  isLoading: boolean;
  /** The view of this plane that is drawn without the imaging library, until the library has drawn it. */
  first: FirstPlaneView | undefined;
};

/**
 * One plane with its name in its color. A double click enlarges the plane; another double click restores the layout.
 */
export function PlanePane({ viewBox, volumes, orientation, series, desk, layers, crossing, isLoading, first }: Props) {
  const [plane, setPlane] = useState<Plane>();
  const { onPlane } = desk;
  const isFirst = useIsFirst(plane, first, isLoading);
  const onMounted = useCallback(
    (mounted: Plane | undefined) => {
      setPlane(mounted);
      onPlane(orientation, mounted);
    },
    [orientation, onPlane],
  );
  const onPress = (event: PointerEvent) => {
    desk.enter(orientation);
    if (plane && desk.tool === crosshairs.name) dragCrossing(event, plane, desk.all);
  };
  return (
    <section
      aria-label={planeNames[orientation]}
      className={styles.pane}
      data-current={desk.current === orientation}
      data-large={desk.large === orientation}
      style={{ color: colorOf[orientation] }}
      onPointerDown={onPress}
      onWheel={() => desk.enter(orientation)}
      onDoubleClick={() => desk.toggleLarge(orientation)}
    >
      <PlaneViewport viewBox={viewBox} volumes={volumes} orientation={orientation} onPlane={onMounted} />
      {first && isFirst && !plane && <FirstPlane first={first} series={series} images={volumes[0].images} />}
      {first && isFirst && plane && <FirstCanvas {...first} isAsking={false} />}
      {plane && <OnPlane key={plane.viewport.id} {...{ plane, series, desk, layers, crossing, isLoading }} />}
    </section>
  );
}

/** Moves the other planes to the pointer position until release. */
const dragCrossing = (event: PointerEvent, plane: Plane, planes: readonly Plane[]) => {
  if (event.button !== 0 || !event.isPrimary) return;
  const { viewport } = plane;
  const follow = ({ clientX, clientY }: { clientX: number; clientY: number }) => {
    const { left, top } = viewport.element.getBoundingClientRect();
    moveCrossingTo(planes, plane, viewport.canvasToWorld([clientX - left, clientY - top]));
  };
  const before = crossingNow(planes);
  follow(event);
  followPointer(event, { follow, cancel: () => before && moveCrossingTo(planes, plane, before) });
};

type OnPlaneProps = Pick<Props, 'series' | 'desk' | 'layers' | 'crossing' | 'isLoading'> & { plane: Plane };

function OnPlane({ plane, series, desk, layers, crossing, isLoading }: OnPlaneProps) {
  const shownPlane = useShownPlane(plane);
  const { orientation } = plane;
  return (
    <>
      <PlaneLayers plane={plane} layers={layers} thickness={desk.slab.thickness} />
      {crossing && (
        <CrosshairLines plane={plane} planes={desk.all} crossing={crossing} isInHand={desk.tool === crosshairs.name} />
      )}
      {shownPlane && (
        <PlaneOverlays
          name={planeNames[orientation]}
          color={colorOf[orientation]}
          series={series}
          images={plane.volumes[0].images}
          shownPlane={shownPlane}
          crossing={crossing}
          isLoading={isLoading}
        />
      )}
    </>
  );
}
