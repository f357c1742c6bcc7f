import { Enums } from '@cornerstonejs/core';
import { copyOf, overlaysOf, isOverlayLoading, type PaneText, paneTextOf } from './picture-overlays.ts';
import type { Layers } from './picture.ts';

/** Common part of both kinds of viewport. */
type Viewport = { element: HTMLDivElement; render: () => void };

/** Time limit for one rendering, in milliseconds. A slab on the processor is slow. */
const patience = 5000;

/** Attempts to capture a moving image. A cine frame lasts longer than an attempt. */
const attempts = 40;

/** Renders a viewport and resolves to the answer of `ask` at that moment. Undefined if it never renders. */
export const afterNextRender = <Answer>(viewport: Viewport, ask: () => Answer): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const stop = new AbortController();
    const finish = (answer: Answer | undefined) => {
      stop.abort();
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), patience);
    viewport.element.addEventListener(Enums.Events.IMAGE_RENDERED, () => finish(ask()), stop);
    viewport.render();
  });

const nextDrawing = () => new Promise((resolve) => requestAnimationFrame(resolve));

/**
 * Captures the screen, the answer of `look` and all overlays at the same moment. `look` returns undefined while no
 * image may be shown; its `key` changes with the image. Resolves to undefined if the image does not come to rest.
 */
export const captureScreen = async <Seen extends { key: string }>(
  viewport: Viewport,
  look: () => Seen | undefined,
): Promise<{ layers: Layers; seen: Seen; said: PaneText } | undefined> => {
  const canvas = viewport.element.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas');
  const pane = viewport.element.parentElement;
  if (!canvas || !pane) return undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const taken = await afterNextRender(viewport, () => {
      const seen = look();
      return seen && { seen, canvas: copyOf(canvas) };
    });
    // Lines and text follow their image one rendering later.
    await nextDrawing();
    await nextDrawing();
    if (!canvas.isConnected) return undefined;
    if (taken && look()?.key === taken.seen.key && !isOverlayLoading(pane)) {
      const { width, height } = canvas.getBoundingClientRect();
      const box = { left: 0, top: 0, width, height };
      const layers = { canvas: taken.canvas, over: overlaysOf(canvas, pane), box };
      return { seen: taken.seen, layers, said: paneTextOf(pane) };
    }
  }
  return undefined;
};
