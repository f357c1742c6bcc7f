import { Enums, getRenderingEngine, PlanarViewport, type Types } from '@cornerstonejs/core';
import { useEffect, useRef } from 'react';
import { discardDrawing } from '#reading/viewer/engine/tools/discard-drawing.ts';
import { patchTouchDrawing } from '#reading/viewer/engine/tools/touch-drawing.ts';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import styles from './plane-viewport.module.css';
import type { Volume } from './volume.ts';

export const orientations = ['axial', 'sagittal', 'coronal'] as const;
export type Orientation = (typeof orientations)[number];

export type Volumes = readonly [Volume, ...Volume[]];

/**
 * A plane on screen: its viewport and its volumes, the lowest first. The viewport knows a volume by its `volumeId`.
 * `orientation` is the initial orientation; it names the plane even after a rotation.
 */
export type Plane = { viewport: PlanarViewport; volumes: Volumes; orientation: Orientation };

/** Names of the orientations in the imaging library. */
export const axes = {
  axial: Enums.OrientationAxis.AXIAL,
  sagittal: Enums.OrientationAxis.SAGITTAL,
  coronal: Enums.OrientationAxis.CORONAL,
} as const;

let lastNumber = 0;

const makeViewport = ({ engine, tools }: ViewBox, element: HTMLDivElement, name: string): PlanarViewport => {
  // Counts up, because React may unmount and mount again at once, and the imaging library accepts each ID only once.
  lastNumber += 1;
  const viewportId = `${engine.id}-${lastNumber}-${name}`;
  const background: Types.RGB = [0, 0, 0];
  engine.enableElement({ viewportId, type: Enums.ViewportType.PLANAR_NEXT, element, defaultOptions: { background } });
  // The element is not focusable. With the focus, the imaging library would capture all keys.
  element.removeAttribute('tabindex');
  tools.addViewport(viewportId, engine.id);
  const viewport: unknown = engine.getViewport(viewportId);
  if (!(viewport instanceof PlanarViewport)) throw new Error('The engine made another kind of viewport');
  return viewport;
};

const isThere = ({ engine }: ViewBox, viewport: PlanarViewport) =>
  getRenderingEngine(engine.id)?.getViewport(viewport.id) !== undefined;

const show = (viewport: PlanarViewport, volumes: Volumes, orientation: Orientation) =>
  viewport.setDisplaySets(
    ...volumes.map(({ volumeId }, index) => ({
      displaySetId: volumeId,
      options: { orientation: axes[orientation], role: index === 0 ? ('source' as const) : ('overlay' as const) },
    })),
  );

/** Removes a viewport, whatever its state. */
const remove = (viewBox: ViewBox, viewport: PlanarViewport) => {
  // After the graphics context is lost, the engine is gone before its viewports.
  if (!isThere(viewBox, viewport)) return;
  const { engine, tools } = viewBox;
  // If the drawing were not canceled, the imaging library would wait for its end and block all tools until reload.
  discardDrawing(viewport.element);
  tools.removeViewports(engine.id, viewport.id);
  engine.disableElement(viewport.id);
};

type Props = {
  viewBox: ViewBox;
  /**
   * Volumes that the plane cuts. The first volume is lowest; the other volumes are drawn over it. Must not change
   * between renders.
   */
  volumes: Volumes;
  orientation: Orientation;
  /** Suffix of the viewport ID. Default: the orientation. */
  name?: string;
  /**
   * Called with the plane once its volumes are mounted, and with undefined when the plane is gone. Must not change
   * between renders.
   */
  onPlane: (plane: Plane | undefined) => void;
};

/** Shows a plane through one or more volumes, in a viewport of a view box. */
export function PlaneViewport({ viewBox, volumes, orientation, name = orientation, onPlane }: Props) {
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!element.current) return undefined;
    let isWanted = true;
    const viewport = makeViewport(viewBox, element.current, name);
    const resized = new ResizeObserver(() => {
      if (isThere(viewBox, viewport)) viewBox.engine.resize(true, true);
    });
    const unmend = patchTouchDrawing(viewport.element, viewBox.tools);
    resized.observe(viewport.element);
    const mount = async () => {
      await show(viewport, volumes, orientation);
      if (isWanted) onPlane({ viewport, volumes, orientation });
    };
    void mount();
    return () => {
      isWanted = false;
      resized.disconnect();
      unmend();
      onPlane(undefined);
      remove(viewBox, viewport);
    };
  }, [viewBox, volumes, orientation, name, onPlane]);

  return <div ref={element} className={styles.plane} onContextMenu={(event) => event.preventDefault()} />;
}
