import { Enums, getRenderingEngine, setVolumesForViewports, type Types, VolumeViewport3D } from '@cornerstonejs/core';
import {
  addTool,
  Enums as ToolEnums,
  PanTool,
  ToolGroupManager,
  TrackballRotateTool,
  ZoomTool,
} from '@cornerstonejs/tools';
import { useEffect, useRef } from 'react';
import type { ViewBox } from '#reading/viewer/engine/stack/view-box.ts';
import styles from './plane-viewport.module.css';
import type { Volume } from './volume.ts';

/**
 * Factor by which the volume is sampled more coarsely, because rays are expensive. During rotation, the tool samples
 * even more coarsely.
 */
const sampling = 2;

const { MouseBindings } = ToolEnums;

let lastNumber = 0;

const makeViewport = (engine: ViewBox['engine'], element: HTMLDivElement): VolumeViewport3D => {
  lastNumber += 1;
  const viewportId = `${engine.id}-rendering-${lastNumber}`;
  const background: Types.RGB = [0, 0, 0];
  engine.enableElement({
    viewportId,
    type: Enums.ViewportType.VOLUME_3D,
    element,
    defaultOptions: { background, orientation: Enums.OrientationAxis.CORONAL },
  });
  // The element is not focusable. With the focus, the imaging library would capture all keys.
  element.removeAttribute('tabindex');
  const viewport: unknown = engine.getViewport(viewportId);
  if (!(viewport instanceof VolumeViewport3D)) throw new Error('The engine made another kind of viewport');
  return viewport;
};

/** Creates the tools for mouse and touch: rotate, pan and zoom. */
const makeTools = (viewport: VolumeViewport3D) => {
  const group = ToolGroupManager.createToolGroup(`tools of ${viewport.id}`);
  if (!group) throw new Error(`The tools of ${viewport.id} exist already`);
  const bound = [
    { tool: TrackballRotateTool, bindings: [{ mouseButton: MouseBindings.Primary }, { numTouchPoints: 1 }] },
    { tool: PanTool, bindings: [{ mouseButton: MouseBindings.Auxiliary }] },
    { tool: ZoomTool, bindings: [{ mouseButton: MouseBindings.Secondary }, { numTouchPoints: 2 }] },
  ];
  group.addViewport(viewport.id, viewport.renderingEngineId);
  for (const { tool, bindings } of bound) {
    addTool(tool);
    group.addTool(tool.toolName);
    group.setToolActive(tool.toolName, { bindings });
  }
  return group;
};

type Props = {
  viewBox: ViewBox;
  volume: Volume;
  /** Name of the rendering preset in the imaging library. */
  preset: string;
  /**
   * Called with the viewport once the volume is mounted, and with undefined when the viewport is gone. Must not change
   * between renders.
   */
  onViewport: (viewport: VolumeViewport3D | undefined) => void;
};

/**
 * Shows a rendered volume. Mount it only when all slices are loaded, because each arriving slice causes an expensive
 * rendering.
 */
export function VolumeRendering({ viewBox: { engine }, volume, preset, onViewport }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const shownViewport = useRef<VolumeViewport3D>(undefined);
  const chosenPreset = useRef(preset);

  useEffect(() => {
    if (!element.current) return undefined;
    let isWanted = true;
    const viewport = makeViewport(engine, element.current);
    const group = makeTools(viewport);
    const isThere = () => getRenderingEngine(engine.id)?.getViewport(viewport.id) !== undefined;
    const resized = new ResizeObserver(() => isThere() && engine.resize(true, true));
    const mount = async () => {
      await setVolumesForViewports(engine, [{ volumeId: volume.volumeId }], [viewport.id]);
      if (!isWanted) return;
      viewport.setProperties({ preset: chosenPreset.current, sampleDistanceMultiplier: sampling });
      viewport.resetCamera();
      viewport.render();
      shownViewport.current = viewport;
      onViewport(viewport);
    };
    resized.observe(viewport.element);
    void mount();
    return () => {
      isWanted = false;
      shownViewport.current = undefined;
      resized.disconnect();
      onViewport(undefined);
      ToolGroupManager.destroyToolGroup(group.id);
      if (isThere()) engine.disableElement(viewport.id);
    };
  }, [engine, volume, onViewport]);

  useEffect(() => {
    chosenPreset.current = preset;
    shownViewport.current?.setProperties({ preset });
    shownViewport.current?.render();
  }, [preset]);

  return <div ref={element} className={styles.plane} onContextMenu={(event) => event.preventDefault()} />;
}
