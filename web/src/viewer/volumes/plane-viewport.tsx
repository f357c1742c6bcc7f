import { Enums, getRenderingEngine, PlanarViewport, type Types } from '@cornerstonejs/core';
import { useEffect, useRef } from 'react';
import { giveUpDrawing } from '#viewer/engine/give-up.ts';
import { mendTouches } from '#viewer/engine/touches.ts';
import type { ViewBox } from '#viewer/engine/view-box.ts';
import styles from './plane-viewport.module.css';
import type { Volume } from './volume.ts';

export const orientations = ['axial', 'sagittal', 'coronal'] as const;
export type Orientation = (typeof orientations)[number];

export type Volumes = readonly [Volume, ...Volume[]];

/**
 * A plane on the screen: the viewport, and the volumes it cuts through, the first of them lying below. The viewport knows
 * each by its `volumeId`. It keeps the orientation that it was opened with as its name, however it is turned.
 */
export type Plane = { viewport: PlanarViewport; volumes: Volumes; orientation: Orientation };

/** By what the library knows them. */
export const axes = {
  axial: Enums.OrientationAxis.AXIAL,
  sagittal: Enums.OrientationAxis.SAGITTAL,
  coronal: Enums.OrientationAxis.CORONAL,
} as const;

let made = 0;

const makeViewport = ({ engine, tools }: ViewBox, element: HTMLDivElement, name: string): PlanarViewport => {
  // React may mount, unmount and mount again in one go; the library takes no id twice.
  made += 1;
  const viewportId = `${engine.id}-${made}-${name}`;
  const background: Types.RGB = [0, 0, 0];
  engine.enableElement({ viewportId, type: Enums.ViewportType.PLANAR_NEXT, element, defaultOptions: { background } });
  // While it has the focus the library swallows every key; so it never gets the focus.
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

/** Takes a viewport away, whatever it is doing. */
const remove = (viewBox: ViewBox, viewport: PlanarViewport) => {
  // After a lost graphics context the engine has gone before its viewports.
  if (!isThere(viewBox, viewport)) return;
  const { engine, tools } = viewBox;
  // Else the library would wait for its end, and take nothing else in hand until the page is loaded anew.
  giveUpDrawing(viewport.element);
  tools.removeViewports(engine.id, viewport.id);
  engine.disableElement(viewport.id);
};

type Props = {
  viewBox: ViewBox;
  /** What it cuts through: the first lies below, the others are laid over it. Keep it the same between renderings. */
  volumes: Volumes;
  orientation: Orientation;
  /** By what the viewport's id ends, for whoever tells viewports apart by it; the orientation unless given. */
  name?: string;
  /** Called with the plane once its volumes are mounted, and with undefined when it goes. Keep it the same between renderings. */
  onPlane: (plane: Plane | undefined) => void;
};

/** A plane through one or several volumes, on a view box. */
export function PlaneViewport({ viewBox, volumes, orientation, name = orientation, onPlane }: Props) {
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!element.current) return undefined;
    let isWanted = true;
    const viewport = makeViewport(viewBox, element.current, name);
    const resized = new ResizeObserver(() => {
      if (isThere(viewBox, viewport)) viewBox.engine.resize(true, true);
    });
    const unmend = mendTouches(viewport.element, viewBox.tools);
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
