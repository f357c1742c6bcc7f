import {
  Enums,
  getRenderingEngine,
  getShouldUseCPURendering,
  StackViewport as Viewport,
  type Types,
} from '@cornerstonejs/core';
import { useEffect, useRef } from 'react';
import type { HungSeries } from '#reading/viewer/hanging/hanging.ts';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { hounsfieldWindow } from '#reading/viewer/images/values/window-presets.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import styles from './stack-viewport.module.css';
import { discardDrawing } from '#reading/viewer/engine/tools/discard-drawing.ts';
import { endOnAnotherImage } from '#reading/viewer/engine/tools/unfinished-drawing.ts';
import { applyGrayPerImage } from '#reading/viewer/engine/gray/gray-per-image.ts';
import { isCardEmulated } from '#reading/viewer/engine/loading/start-imaging.ts';
import { fetchAhead } from './fetch-ahead.ts';
import { drawOnProcessor } from './processor-drawing.ts';
import { isAsHung } from './given-placement.ts';
import { hangPerImage, turnTo } from './hang-per-image.ts';
import { showAs } from './image-look.ts';
import { resetGray } from '#reading/viewer/engine/gray/reset-gray.ts';
import { greysThroughTables } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { patchTouchDrawing } from '#reading/viewer/engine/tools/touch-drawing.ts';
import type { ViewBox } from './view-box.ts';
import { fit } from './view-commands.ts';

let lastNumber = 0;

/** Creates a viewport in an element. */
const makeViewport = ({ engine, tools }: ViewBox, element: HTMLDivElement): Viewport => {
  // Counts up, because React may mount, unmount and mount again at once, and the imaging library refuses an ID used
  // before.
  lastNumber += 1;
  const viewportId = `${engine.id}-${lastNumber}`;
  const background: Types.RGB = [0, 0, 0];
  engine.enableElement({ viewportId, type: Enums.ViewportType.STACK, element, defaultOptions: { background } });
  // The element is not focusable. With the focus, the imaging library would capture all keys.
  element.removeAttribute('tabindex');
  tools.addViewport(viewportId, engine.id);
  const viewport = engine.getViewport(viewportId);
  if (!(viewport instanceof Viewport)) throw new Error('The engine made another kind of viewport');
  if (isCardEmulated()) drawOnProcessor(viewport);
  return viewport;
};

/** Functions that stop fetching ahead. */
const stopsFetching = new WeakMap<Viewport, () => void>();

const isThere = ({ engine }: ViewBox, viewport: Viewport) =>
  getRenderingEngine(engine.id) !== undefined && !viewport.isDisabled;

const show = async (
  viewBox: ViewBox,
  viewport: Viewport,
  images: readonly SeriesImage[],
  { first, fetchesAhead }: { first: FirstLook; fetchesAhead: boolean },
) => {
  const namedIndex = images.findIndex(({ imageId }) => imageId === first.image);
  const start = namedIndex < 0 ? Math.min(first.start, images.length - 1) : namedIndex;
  greysThroughTables(viewport);
  // Ignores the error. A failed image fires its own event, and the other images are still fetched.
  await viewport
    .setStack(
      images.map(({ imageId }) => imageId),
      start,
    )
    .catch(() => undefined);
  if (!isThere(viewBox, viewport)) return;
  if (viewport.getCornerstoneImage()) lookFirst(viewport, first, images[start]?.header ?? {});
  hangPerImage(viewport, images);
  applyGrayPerImage(viewport);
  // Fetches the rest of the stack only now, so that the image on the screen comes first.
  if (fetchesAhead) stopsFetching.set(viewport, fetchAhead(viewport));
};

/** Applies the first rotation and window of the hanging. "Reset view" later shows the image as recorded. */
const lookFirst = (viewport: Viewport, { turn, window, image, look }: FirstLook, header: DicomJson) => {
  // Rendering on the processor draws MONOCHROME1 correctly but does not report the inversion (Cornerstone3D 5.14.0).
  if (getShouldUseCPURendering()) resetGray(viewport);
  if (image && look) {
    showAs(viewport, image, look);
    return;
  }
  turnTo(viewport, turn);
  const range = hounsfieldWindow(window, header);
  if (range) viewport.setProperties({ voiRange: range });
  if (turn || range) viewport.render();
};

/** Removes a viewport, whatever its state. */
const remove = (viewBox: ViewBox, viewport: Viewport) => {
  const { element, id: viewportId } = viewport;
  // Prevents the imaging library from drawing an image that arrives after the removal.
  viewport.successCallback = () => undefined;
  stopsFetching.get(viewport)?.();
  // After the graphics context is lost, the engine is destroyed before its viewports.
  if (!isThere(viewBox, viewport)) return;
  const { engine, tools } = viewBox;
  // Without this cancel, the imaging library would wait for the end of the drawing and activate no other tool until
  // reload.
  discardDrawing(element);
  tools.removeViewports(engine.id, viewportId);
  engine.disableElement(viewportId);
};

const isFitted = (viewport: Viewport): boolean => {
  const [panX, panY] = viewport.getPan();
  return Math.abs(viewport.getZoom() - 1) < 0.01 && Math.hypot(panX, panY) < 2;
};

/**
 * Resizes all viewports of the engine at once, whichever viewport reports the change. If an image was fitted or placed
 * by its hanging before, fits it again; the hanging then places it again. Other images keep their zoom.
 */
const resizeAll = ({ engine }: ViewBox) => {
  const fitted = engine
    .getViewports()
    .filter((viewport): viewport is Viewport => viewport instanceof Viewport)
    .filter((viewport) => isFitted(viewport) || isAsHung(viewport));
  engine.resize(true, true);
  // Also fits viewports of unchanged size. Their canvases resize later, so their new size cannot be queried yet.
  fitted.forEach(fit);
};

/** First image of a stack (index from 0) and how to show it. */
type FirstLook = Omit<HungSeries, 'series'>;

type Props = {
  viewBox: ViewBox;
  images: readonly SeriesImage[];
  /**
   * Whether the viewport fetches the rest of the stack in advance, nearest image first. Pass false if the caller
   * fetches it.
   */
  fetchesAhead?: boolean;
  first?: FirstLook;
  /**
   * Called with the viewport when it exists, and with undefined when it is removed. Must not change between renders.
   */
  onViewport: (viewport: Viewport | undefined) => void;
};

/** Shows a stack of images in a viewport of a view box. Give each stack its own React key. */
export function StackViewport({ viewBox, images, fetchesAhead = true, first = { start: 0 }, onViewport }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const firstLook = useRef(first);

  useEffect(() => {
    if (!element.current) return undefined;
    const viewport = makeViewport(viewBox, element.current);
    const resized = new ResizeObserver(() => {
      if (isThere(viewBox, viewport)) resizeAll(viewBox);
    });
    const unmend = patchTouchDrawing(viewport.element, viewBox.tools);
    const stopEnding = endOnAnotherImage(viewport);
    onViewport(viewport);
    resized.observe(viewport.element);
    void show(viewBox, viewport, images, { first: firstLook.current, fetchesAhead });
    return () => {
      resized.disconnect();
      unmend();
      stopEnding();
      onViewport(undefined);
      remove(viewBox, viewport);
    };
  }, [viewBox, images, fetchesAhead, onViewport]);

  return <div ref={element} className={styles.stack} onContextMenu={(event) => event.preventDefault()} />;
}
