import { t } from '@lingui/core/macro';
import { Enums } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import { IconCrosshair } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { screenAxes } from '#reading/viewer/engine/stack/screen-axes.ts';
import {
  deactivateAllTools,
  type OfferedTool,
  activateTool,
  type ToolName,
} from '#reading/viewer/engine/tools/tools.ts';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { movePlaneTo, turnPlane } from '#reading/viewer/volumes/plane-commands.ts';
import type { Plane } from '#reading/viewer/volumes/plane-viewport.tsx';
import { crossingOf, type PositionedPlane, normalOfPlane } from './plane-crossing.ts';

/**
 * Crosshairs tool of this application. The crosshairs of the imaging library draw lines at the nearest slice and ignore
 * clicks on a line (docs/decisions/0039-planes-through-volumes.md).
 */
export const crosshairs: OfferedTool = { name: 'Crosshairs', label: t`Crosshairs`, key: 'x', icon: IconCrosshair };

/** Activates a tool. While the crosshairs are active, the mouse does not move measurements. */
export const takePlaneTool = (tools: Types.IToolGroup, name: ToolName) =>
  name === crosshairs.name ? deactivateAllTools(tools) : activateTool(tools, name);

/** Returns the current position and orientation of a plane in the patient. */
export const planePositionOf = ({ viewport }: Plane): PositionedPlane | undefined => {
  const screen = screenAxes(viewport);
  const { clientWidth, clientHeight } = viewport.element;
  return screen && { ...screen, point: viewport.canvasToWorld([clientWidth / 2, clientHeight / 2]) };
};

/** Returns the point where all planes cross, in mm. Undefined until the planes exist. */
export const crossingNow = (planes: readonly Plane[]): Vector | undefined =>
  crossingOf(planes.flatMap((plane) => planePositionOf(plane) ?? []));

/** Moves the other planes through a point of this plane. */
export const moveCrossingTo = (planes: readonly Plane[], plane: Plane, point: Vector) => {
  for (const other of planes) if (other !== plane) movePlaneTo(other, point);
};

/** Rotates the other planes around the crossing. The angle is in radians, clockwise as seen on this plane. */
export const turnOthers = (planes: readonly Plane[], plane: Plane, angle: number) => {
  const lying = planePositionOf(plane);
  const crossing = crossingNow(planes);
  if (!lying || !crossing) return;
  for (const other of planes) {
    if (other !== plane) turnPlane(other, { axis: normalOfPlane(lying), angle, about: crossing });
  }
};

/** Returns the point where the planes cross. Updates it when a plane moves or rotates. */
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
