import { Enums } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import { IconCrosshair } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { screenAxes } from '#viewer/engine/screen-axes.ts';
import { holdNoTool, type OfferedTool, takeTool, type ToolName } from '#viewer/engine/tools.ts';
import type { Vector } from '#viewer/images/image-plane.ts';
import { movePlaneTo, turnPlane } from '#viewer/volumes/plane-commands.ts';
import type { Orientation, Plane } from '#viewer/volumes/plane-viewport.tsx';
import { crossingOf, type LyingPlane, normalOfPlane } from './crossing.ts';

/**
 * Ours, not the library's: its crosshairs draw the lines at the nearest slice and not where the planes are, and a click
 * that happens to fall on one of the lines does not move them (docs/decisions/0039-planes-through-volumes.md).
 */
export const crosshairs: OfferedTool = { name: 'Crosshairs', label: 'Crosshairs', key: 'x', icon: IconCrosshair };

/** Each plane has a colour: that of its name, and of the line where it cuts the other planes. */
export const colourOf: Record<Orientation, string> = {
  axial: '#ff7b72',
  sagittal: '#f2c14e',
  coronal: '#5fcb8b',
};

/** Puts a tool in hand. With the crosshairs, what is measured lies still under the mouse. */
export const takePlaneTool = (tools: Types.IToolGroup, name: ToolName) =>
  name === crosshairs.name ? holdNoTool(tools) : takeTool(tools, name);

/** How a plane lies in the patient now. */
export const lyingOf = ({ viewport }: Plane): LyingPlane | undefined => {
  const screen = screenAxes(viewport);
  const { clientWidth, clientHeight } = viewport.element;
  return screen && { ...screen, point: viewport.canvasToWorld([clientWidth / 2, clientHeight / 2]) };
};

/** Where all planes meet, in mm; undefined until they are there. */
export const crossingNow = (planes: readonly Plane[]): Vector | undefined =>
  crossingOf(planes.flatMap((plane) => lyingOf(plane) ?? []));

/** Has the other planes go through a point of this one. */
export const crossAt = (planes: readonly Plane[], plane: Plane, point: Vector) => {
  for (const other of planes) if (other !== plane) movePlaneTo(other, point);
};

/** Turns the other planes about the crossing, by an angle in radians, clockwise as this plane is seen. */
export const turnOthers = (planes: readonly Plane[], plane: Plane, angle: number) => {
  const lying = lyingOf(plane);
  const crossing = crossingNow(planes);
  if (!lying || !crossing) return;
  for (const other of planes) {
    if (other !== plane) turnPlane(other, { axis: normalOfPlane(lying), angle, about: crossing });
  }
};

/** Where the planes meet, looked at again whenever one of them was moved or turned. */
export const useCrossing = (planes: readonly Plane[]): Vector | undefined => {
  const [crossing, setCrossing] = useState<Vector>();

  useEffect(() => {
    const stop = new AbortController();
    const look = () => setCrossing(crossingNow(planes));
    look();
    for (const { viewport } of planes) viewport.element.addEventListener(Enums.Events.CAMERA_MODIFIED, look, stop);
    return () => stop.abort();
  }, [planes]);

  return crossing;
};
