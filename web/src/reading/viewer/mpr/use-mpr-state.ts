import { Enums } from '@cornerstonejs/core';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ToolName } from '#reading/viewer/engine/tools/tools.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { invertPlane, resetPlane, setPlaneWindow, setSlab } from '#reading/viewer/volumes/plane-commands.ts';
import { type Orientation, orientations, type Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { noSlab, type Slab } from '#reading/viewer/volumes/slab.ts';
import { crosshairs, takePlaneTool } from './crosshairs.ts';

type Planes = Partial<Record<Orientation, Plane>>;

export type MprState = ReturnType<typeof useMprState>;

/** State shared by the three planes: tool, window, slab. */
export const useMprState = (viewBox: ViewBox | undefined) => {
  const [planes, setPlanes] = useState<Planes>({});
  const [tool, setTool] = useState<ToolName>(crosshairs.name);
  const [current, enter] = useState<Orientation>('axial');
  const [large, setLarge] = useState<Orientation | 'rendering'>();
  const [isRendering, setIsRendering] = useState(false);
  const [isCropping, setIsCropping] = useState(false);
  const [slab, setSlabWanted] = useState<Slab>(noSlab);
  const all = useMemo(() => orientations.flatMap((orientation) => planes[orientation] ?? []), [planes]);
  const areThere = all.length === orientations.length;

  useEffect(() => {
    if (viewBox && areThere) takePlaneTool(viewBox.tools, tool);
  }, [viewBox, areThere, tool]);

  useEffect(() => {
    for (const plane of all) setSlab(plane, slab);
  }, [all, slab]);

  useEffect(() => shareWindow(all), [all]);

  const onPlane = useCallback((orientation: Orientation, plane: Plane | undefined) => {
    setPlanes((before) => {
      const { [orientation]: _, ...others } = before;
      return plane ? { ...others, [orientation]: plane } : others;
    });
  }, []);

  return {
    viewBox,
    all,
    areThere,
    plane: planes[current],
    current,
    enter,
    /** Makes a plane current. If another plane is enlarged, enlarges this plane instead. */
    goTo: (orientation: Orientation) => {
      enter(orientation);
      setLarge((before) => before && orientation);
    },
    onPlane,
    tool,
    setTool,
    large,
    setLarge,
    isRendering,
    isCropping,
    toggleCropping: () => setIsCropping((before) => !before),
    toggleRendering: () => setIsRendering((before) => !before),
    toggleLarge: (name: Orientation | 'rendering') => setLarge((before) => (before ? undefined : name)),
    slab,
    setSlab: setSlabWanted,
    setWindow: (range: GrayRange) => {
      for (const plane of all) setPlaneWindow(plane, range);
    },
    invert: (isInverted: boolean) => {
      for (const plane of all) invertPlane(plane, isInverted);
    },
    reset: () => {
      for (const plane of all) {
        resetPlane(plane);
        for (const { volumeId } of plane.volumes) plane.viewport.resetDisplaySetPresentation(volumeId);
      }
      setSlabWanted({ ...noSlab });
    },
  };
};

const isSame = (one: GrayRange | undefined, other: GrayRange): boolean =>
  one !== undefined && Math.abs(one.lower - other.lower) < 1e-3 && Math.abs(one.upper - other.upper) < 1e-3;

/** Copies window changes of one plane to the other planes. Returns a function that stops the copying. */
const shareWindow = (planes: readonly Plane[]): (() => void) => {
  const stop = new AbortController();
  for (const { viewport } of planes) {
    const onChange = ({ detail }: CustomEventInit<{ range: GrayRange }>) => {
      if (!detail) return;
      for (const plane of planes) {
        const windowRange = plane.viewport.getDisplaySetPresentation(plane.volumes[0].volumeId)?.voiRange;
        if (plane.viewport !== viewport && !isSame(windowRange, detail.range)) setPlaneWindow(plane, detail.range);
      }
    };
    viewport.element.addEventListener(Enums.Events.VOI_MODIFIED, onChange, stop);
  }
  return () => stop.abort();
};
