import { Enums, getRenderingEngine, StackViewport as Viewport, type Types } from '@cornerstonejs/core';
import { utilities } from '@cornerstonejs/tools';
import { useEffect, useRef } from 'react';
import type { SeriesImage } from './series-loader.ts';
import styles from './stack-viewport.module.css';
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

const show = async (viewBox: ViewBox, viewport: Viewport, images: readonly SeriesImage[]) => {
  // An image that does not come is told of by its own event; the others are fetched all the same.
  await viewport.setStack(images.map(({ imageId }) => imageId)).catch(() => undefined);
  // What is looked at comes first; the rest of the stack follows, the nearest images before the others.
  if (isThere(viewBox, viewport)) utilities.stackContextPrefetch.enable(viewport.element);
};

/** Takes a viewport away, whatever it is doing. */
const remove = (viewBox: ViewBox, viewport: Viewport) => {
  const { element, id: viewportId } = viewport;
  utilities.cine.stopClip(element, { stopDynamicCine: false, viewportId });
  // An image that is still on its way must find nobody: the library would draw it where there is nothing any more.
  viewport.successCallback = () => undefined;
  // After a lost graphics context the engine has gone before its viewports.
  if (!isThere(viewBox, viewport)) return;
  const { engine, tools } = viewBox;
  utilities.stackContextPrefetch.disable(element);
  tools.removeViewports(engine.id, viewportId);
  engine.disableElement(viewportId);
};

/** A picture that filled its place fills it again; one that was magnified keeps its magnification. */
const fitAgain = (viewport: Viewport, resize: () => void) => {
  const [panX, panY] = viewport.getPan();
  const isFitted = Math.abs(viewport.getZoom() - 1) < 0.01 && Math.hypot(panX, panY) < 2;
  resize();
  if (isFitted) fit(viewport);
};

type Props = {
  viewBox: ViewBox;
  images: readonly SeriesImage[];
  /** Called with the viewport once it stands, and with undefined when it goes. Keep it the same between renderings. */
  onViewport: (viewport: Viewport | undefined) => void;
};

/** A stack of images on a view box. Another stack needs another one: give it a key. */
export function StackViewport({ viewBox, images, onViewport }: Props) {
  const element = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (!element.current) return undefined;
    const viewport = makeViewport(viewBox, element.current);
    const resized = new ResizeObserver(() => {
      if (isThere(viewBox, viewport)) fitAgain(viewport, () => viewBox.engine.resize(true, true));
    });
    onViewport(viewport);
    resized.observe(viewport.element);
    void show(viewBox, viewport, images);
    return () => {
      resized.disconnect();
      onViewport(undefined);
      remove(viewBox, viewport);
    };
  }, [viewBox, images, onViewport]);

  return <div ref={element} className={styles.stack} onContextMenu={(event) => event.preventDefault()} />;
}
