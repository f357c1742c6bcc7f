import { point3 } from '#reading/viewer/volumes/point3.ts';
import { Enums } from '@cornerstonejs/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import { between, dot, plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Orientation, Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { paneNames, type PaneName, slicePanes } from './pane-names.ts';

type Viewport = Plane['viewport'];
type ViewState = ReturnType<Viewport['getViewState']>;

const axes = {
  axial: Enums.OrientationAxis.AXIAL,
  coronal: Enums.OrientationAxis.CORONAL,
  sagittal: Enums.OrientationAxis.SAGITTAL,
} as const;

const normalOf = (viewport: Viewport): Vector | undefined => {
  const normal = viewport.getResolvedView()?.toICamera().viewPlaneNormal;
  return normal && [normal[0], normal[1], normal[2]];
};

/** Moves a point along a normal until it lies in the plane through another point. */
const ontoPlane = (point: Vector, through: Vector, normal: Vector): Vector =>
  plus(point, times(normal, dot(between(point, through), normal)));

/**
 * Links the planes of the page. All slice panes show the same slice with the same zoom and pan, and all planes share
 * one point. `first` is the initial point.
 */
export const useLinkedPlanes = (first: Vector | undefined) => {
  const [planes, setPlanes] = useState<Partial<Record<PaneName, Plane>>>({});
  const [moved, setMoved] = useState<Vector>();
  const [orientation, setOrientation] = useState<Orientation>('axial');
  const savedState = useRef<Partial<ViewState>>(undefined);
  const isLeading = useRef(false);
  const point = moved ?? first;
  const now = useRef(point);
  useEffect(() => {
    now.current = point;
  });

  const [onPlane] = useState(() => {
    const callback = (name: PaneName) => (plane: Plane | undefined) =>
      setPlanes(({ [name]: _gone, ...others }) => (plane ? { ...others, [name]: plane } : others));
    return Object.fromEntries(paneNames.map((name) => [name, callback(name)])) as Record<
      PaneName,
      ReturnType<typeof callback>
    >;
  });

  const slices = slicePanes.flatMap((name) => planes[name]?.viewport ?? []);
  const [leader] = slices;

  useEffect(() => {
    const viewports = slicePanes.flatMap((name) => planes[name]?.viewport ?? []);
    /** Copies the view of one plane to the other planes and moves the shared point to the new slice. */
    const follow = (viewport: Viewport) => {
      if (isLeading.current) return;
      isLeading.current = true;
      const state = viewport.getViewState();
      savedState.current = state;
      for (const other of viewports) if (other !== viewport) other.setViewState(state);
      isLeading.current = false;
      const normal = normalOf(viewport);
      if (state.slice?.kind !== 'volumePoint' || !normal || !now.current) return;
      const [left, posterior, superior] = state.slice.sliceWorldPoint;
      now.current = ontoPlane(now.current, [left, posterior, superior], normal);
      setMoved(now.current);
    };
    const stops = viewports.map((viewport) => {
      const onMoved = () => follow(viewport);
      viewport.element.addEventListener(Enums.Events.CAMERA_MODIFIED, onMoved);
      return () => viewport.element.removeEventListener(Enums.Events.CAMERA_MODIFIED, onMoved);
    });
    // Gives a plane that is mounted later the view of the other planes.
    isLeading.current = true;
    const sliceWorldPoint = now.current && point3(now.current);
    const state =
      savedState.current ?? (sliceWorldPoint && { slice: { kind: 'volumePoint' as const, sliceWorldPoint } });
    for (const viewport of viewports) if (state) viewport.setViewState(state);
    isLeading.current = false;
    return () => stops.forEach((stop) => stop());
  }, [planes]);

  /** Changes all slices. If no plane is mounted, the next plane to mount applies the change. */
  const changeAll = useCallback(
    (change: Partial<ViewState>) => {
      if (leader) leader.setViewState(change);
      else savedState.current = { ...savedState.current, ...change };
    },
    [leader],
  );

  const goTo = useCallback(
    (target: Vector) => {
      now.current = target;
      setMoved(target);
      changeAll({ slice: { kind: 'volumePoint', sliceWorldPoint: point3(target) } });
    },
    [changeAll],
  );

  const turnTo = (next: Orientation) => {
    setOrientation(next);
    if (!now.current) return;
    // Resets the pan, because the pan of one orientation is wrong in another orientation.
    if (leader) leader.resetViewState({ resetOrientation: false, resetZoom: false });
    else savedState.current = undefined;
    changeAll({
      orientation: axes[next],
      slice: { kind: 'volumePoint', sliceWorldPoint: point3(now.current) },
    });
  };

  return {
    planes,
    onPlane,
    point,
    goTo,
    orientation,
    turnTo,
    scroll: (by: number) => void leader?.scroll(by),
    toEnd: (end: 'first' | 'last') => void leader?.setImageIdIndex(end === 'first' ? 0 : Number.MAX_SAFE_INTEGER),
    /** Fits and centers the image. */
    fit: () => void leader?.resetViewState({ resetOrientation: false }),
  };
};

export type LinkedPlanes = ReturnType<typeof useLinkedPlanes>;
