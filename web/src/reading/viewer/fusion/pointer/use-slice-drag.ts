import { t } from '@lingui/core/macro';
import { toast } from '#core/browser/toasts.ts';
import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { draggedUptake, draggedWindow } from './window-drag.ts';
import { frameOfReferenceOf, type FusionState } from '#reading/viewer/fusion/fusion-state.ts';
import { pointTool, sphereTool, windowTool } from '#reading/viewer/fusion/fusion-tools.ts';
import type { SlicePane } from '#reading/viewer/fusion/panes/pane-names.ts';
import { circleOf, draggedSphere, type Grip, gripAt, smallest } from '#reading/viewer/fusion/spheres/sphere-drawing.ts';
import { drawnSphere, type StoredSphere, spheresOn } from '#reading/viewer/fusion/spheres/sphere-measuring.ts';
import type { Sphere } from '#reading/viewer/fusion/spheres/suv-sphere.ts';
import type { DrawnView } from '#reading/viewer/volumes/use-drawn-view.ts';
import type { DragHandlers } from './use-pane-drag.ts';

type Drawing = { id: string; sphere: Sphere } | undefined;
type Spot = { x: number; y: number };

/** Returns the drag handlers of the active tool on a slice. Undefined for tools of the imaging library. */
export const useSliceDrag = (
  name: SlicePane,
  state: FusionState,
  view: DrawnView | undefined,
  drawing: Drawing,
  setDrawing: (drawing: Drawing) => void,
) => {
  const { fusion, linked } = state;

  const goThere = ({ x, y }: Spot) => view && linked.goTo(view.toPatient(x, y));

  const pointHand = (at: Spot): DragHandlers => {
    const before = linked.point;
    goThere(at);
    return { move: goThere, giveUp: () => before && linked.goTo(before) };
  };

  const windowHand = (): DragHandlers => {
    const of = name === 'anatomy' ? 'anatomy' : 'uptake';
    const before = state.windows[of];
    let range = before;
    return {
      move: (_at, by) => {
        range = of === 'anatomy' ? draggedWindow(range, by.x, by.y) : draggedUptake(range, by.x, by.y);
        fusion.setWindow(of, range);
      },
      end: (at, isClick) => isClick && goThere(at),
      giveUp: () => fusion.setWindow(of, before),
    };
  };

  return (at: Spot, isFinger: boolean): DragHandlers | undefined => {
    if (!view || drawing) return undefined;
    if (fusion.tool === windowTool) return windowHand();
    if (fusion.tool === pointTool) return pointHand(at);
    if (fusion.tool !== sphereTool) return undefined;
    return sphereHand(state, view, { at, grabbed: grabbedSphereAt(state, view, at, isFinger) }, setDrawing);
  };
};

type GrabbedSphere = { stored: StoredSphere; grip: Grip };

const grabbedSphereAt = (
  { pair, measured }: FusionState,
  view: DrawnView,
  { x, y }: Spot,
  isFinger: boolean,
): GrabbedSphere | undefined => {
  const onPlane = view.toPatient(0, 0);
  const own = spheresOn(pair.uptake.series.seriesInstanceUID, measured.inVolumes).filter(({ isMine }) => isMine);
  for (const stored of own) {
    const circle = circleOf(view, onPlane, stored.sphere);
    const grip = circle && gripAt(x, y, circle, isFinger);
    if (grip) return { stored, grip };
  }
  return undefined;
};

type Start = { at: Spot; grabbed: GrabbedSphere | undefined };

/** Draws a new sphere from its center, or moves or resizes the sphere under the pointer. */
const sphereHand = (
  state: FusionState,
  view: DrawnView,
  { at: start, grabbed }: Start,
  setDrawing: (drawing: Drawing) => void,
): DragHandlers => {
  const { fusion } = state;
  const id = grabbed?.stored.id ?? crypto.randomUUID();
  const center: Vector = view.toPatient(start.x, start.y);
  const before: Sphere = grabbed?.stored.sphere ?? { center, radius: smallest };
  let sphere = before;
  fusion.select(id);
  return {
    move: (at) => {
      sphere = draggedSphere(before, grabbed?.grip ?? 'edge', view.toPatient(at.x, at.y));
      setDrawing({ id, sphere });
    },
    end: (_at, isClick) => {
      setDrawing(undefined);
      if (!isClick) keep(state, view, id, grabbed?.stored, sphere);
    },
    giveUp: () => setDrawing(undefined),
  };
};

const keep = (state: FusionState, view: DrawnView, id: string, before: StoredSphere | undefined, sphere: Sphere) => {
  const { pair, uptake, scale, measured } = state;
  // A sphere beside a missing slice would lack its peak.
  if (!uptake.isComplete) {
    toast.failure(t`The PET is still loading. Nothing was measured. Draw the sphere again.`);
    return;
  }
  const drawing = drawnSphere(
    {
      grid: uptake.voxels,
      unit: scale.unit,
      seriesInstanceUID: pair.uptake.series.seriesInstanceUID,
      frameOfReferenceUID: frameOfReferenceOf(pair),
    },
    sphere,
    view,
  );
  if (drawing.values.length === 0) {
    toast.failure(t`The sphere reaches beyond the PET, or images are missing. Nothing was measured.`);
    return;
  }
  measured.drawInVolume({
    id,
    before: before?.drawn ?? null,
    after: { ...drawing, label: before?.drawn.label ?? '' },
  });
};
