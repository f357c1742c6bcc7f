import {
  Enums,
  getRenderingEngine,
  getShouldUseCPURendering,
  StackViewport as Viewport,
  type Types,
} from '@cornerstonejs/core';
import { utilities } from '@cornerstonejs/tools';
import { useEffect, useRef } from 'react';
import type { Hung } from '#viewer/hanging/hanging.ts';
import type { DicomJson } from '#viewer/images/dicom-json.ts';
import { hounsfieldWindow } from '#viewer/images/presets.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import styles from './stack-viewport.module.css';
import { giveUpDrawing } from './give-up.ts';
import { endOnAnotherImage } from './half-drawn.ts';
import { greysOfEach } from './greys-of-each.ts';
import { hangEach, turnTo } from './hang-each.ts';
import { showAs } from './image-look.ts';
import { resetGreys } from './reset-greys.ts';
import { greysThroughTables } from './table-greys.ts';
import { mendTouches } from './touches.ts';
import type { ViewBox } from './view-box.ts';
import { fit } from './view-commands.ts';

let made = 0;

/** Makes a viewport in an element. */
const makeViewport = ({ engine, tools }: ViewBox, element: HTMLDivElement): Viewport => {
  // React may mount, unmount and mount again in one go; the library takes no id twice.
  made += 1;
  const viewportId = `${engine.id}-${made}`;
  const background: Types.RGB = [0, 0, 0];
  engine.enableElement({ viewportId, type: Enums.ViewportType.STACK, element, defaultOptions: { background } });
  // While it has the focus the library swallows every key; so it never gets the focus.
  element.removeAttribute('tabindex');
  tools.addViewport(viewportId, engine.id);
  const viewport = engine.getViewport(viewportId);
  if (!(viewport instanceof Viewport)) throw new Error('The engine made another kind of viewport');
  return viewport;
};

const isThere = ({ engine }: ViewBox, viewport: Viewport) =>
  getRenderingEngine(engine.id) !== undefined && !viewport.isDisabled;

const show = async (
  viewBox: ViewBox,
  viewport: Viewport,
  images: readonly SeriesImage[],
  { first, fetchesAhead }: { first: FirstLook; fetchesAhead: boolean },
) => {
  const named = images.findIndex(({ imageId }) => imageId === first.image);
  const start = named < 0 ? Math.min(first.start, images.length - 1) : named;
  greysThroughTables(viewport);
  // An image that does not come is told of by its own event; the others are fetched all the same.
  await viewport
    .setStack(
      images.map(({ imageId }) => imageId),
      start,
    )
    .catch(() => undefined);
  if (!isThere(viewBox, viewport)) return;
  if (viewport.getCornerstoneImage()) lookFirst(viewport, first, images[start]?.header ?? {});
  hangEach(viewport, images);
  greysOfEach(viewport);
  // What is looked at comes first; the rest of the stack follows, the nearest images before the others.
  if (fetchesAhead) utilities.stackContextPrefetch.enable(viewport.element);
};

/** Turns a picture and sets its window as the rules for its kind want it. "Reset view" shows it as it was recorded. */
const lookFirst = (viewport: Viewport, { turn, window, image, look }: FirstLook, header: DicomJson) => {
  // The processor draws MONOCHROME1 as it should be and does not say that it inverts it (Cornerstone3D 5.14.0).
  if (getShouldUseCPURendering()) resetGreys(viewport);
  if (image && look) {
    showAs(viewport, image, look);
    return;
  }
  turnTo(viewport, turn);
  const range = hounsfieldWindow(window, header);
  if (range) viewport.setProperties({ voiRange: range });
  if (turn || range) viewport.render();
};

/** Takes a viewport away, whatever it is doing. */
const remove = (viewBox: ViewBox, viewport: Viewport) => {
  const { element, id: viewportId } = viewport;
  // An image that is still on its way must find nobody: the library would draw it where there is nothing any more.
  viewport.successCallback = () => undefined;
  // After a lost graphics context the engine has gone before its viewports.
  if (!isThere(viewBox, viewport)) return;
  const { engine, tools } = viewBox;
  // Else the library would wait for its end, and take nothing else in hand until the page is loaded anew.
  giveUpDrawing(element);
  utilities.stackContextPrefetch.disable(element);
  tools.removeViewports(engine.id, viewportId);
  engine.disableElement(viewportId);
};

const isFitted = (viewport: Viewport): boolean => {
  const [panX, panY] = viewport.getPan();
  return Math.abs(viewport.getZoom() - 1) < 0.01 && Math.hypot(panX, panY) < 2;
};

/**
 * Pictures that filled their places fill them again; those that were magnified keep their magnification. The engine
 * resizes all of its viewports at once, whichever of them has noticed first.
 */
const resizeAll = ({ engine }: ViewBox) => {
  const fitted = engine
    .getViewports()
    .filter((viewport): viewport is Viewport => viewport instanceof Viewport)
    .filter(isFitted);
  engine.resize(true, true);
  // Also those that kept their size: their canvases follow later, and cannot be asked yet.
  fitted.forEach(fit);
};

/** With which image a stack begins, from 0, and how that is shown at first. */
type FirstLook = Omit<Hung, 'series'>;

type Props = {
  viewBox: ViewBox;
  images: readonly SeriesImage[];
  /** Whether the rest of the stack is fetched too, the nearest images before the others; so it is unless somebody else does. */
  fetchesAhead?: boolean;
  first?: FirstLook;
  /** Called with the viewport once it stands, and with undefined when it goes. Keep it the same between renderings. */
  onViewport: (viewport: Viewport | undefined) => void;
};

/** A stack of images on a view box. Another stack needs another one: give it a key. */
export function StackViewport({ viewBox, images, fetchesAhead = true, first = { start: 0 }, onViewport }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const firstLook = useRef(first);

  useEffect(() => {
    if (!element.current) return undefined;
    const viewport = makeViewport(viewBox, element.current);
    const resized = new ResizeObserver(() => {
      if (isThere(viewBox, viewport)) resizeAll(viewBox);
    });
    const unmend = mendTouches(viewport.element, viewBox.tools);
    const letGo = endOnAnotherImage(viewport);
    onViewport(viewport);
    resized.observe(viewport.element);
    void show(viewBox, viewport, images, { first: firstLook.current, fetchesAhead });
    return () => {
      resized.disconnect();
      unmend();
      letGo();
      onViewport(undefined);
      remove(viewBox, viewport);
    };
  }, [viewBox, images, fetchesAhead, onViewport]);

  return <div ref={element} className={styles.stack} onContextMenu={(event) => event.preventDefault()} />;
}
