import { Enums } from '@cornerstonejs/core';
import { copyOf, overlaysOf, isOverlayLoading, type PaneText, paneTextOf } from './picture-overlays.ts';
import type { Layers } from './picture.ts';

/** Properties that both kinds of viewport have. */
type Viewport = { element: HTMLDivElement; render: () => void };

/** Time limit for one rendering, in milliseconds. Without a graphics card, a slab renders slowly. */
const patience = 5000;

/**
 * Number of attempts to capture a changing image. During cine, a frame stays on screen longer than one attempt takes.
 */
const attempts = 40;

/**
 * Renders a viewport and resolves to the result of `capture` right after the rendering. Undefined if the viewport does not
 * render in time.
 */
export const afterNextRender = <Answer>(viewport: Viewport, capture: () => Answer): Promise<Answer | undefined> =>
  new Promise((resolve) => {
    const stop = new AbortController();
    const finish = (answer: Answer | undefined) => {
      stop.abort();
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(() => finish(undefined), patience);
    viewport.element.addEventListener(Enums.Events.IMAGE_RENDERED, () => finish(capture()), stop);
    viewport.render();
  });

const nextDrawing = () => new Promise((resolve) => requestAnimationFrame(resolve));

/**
 * Captures the image, the result of `look` and all overlays at the same moment. `look` returns undefined while no image
 * may be captured. Its `key` changes with the image. Resolves to undefined if the image keeps changing.
 */
export const captureScreen = async <Seen extends { key: string }>(
  viewport: Viewport,
  look: () => Seen | undefined,
): Promise<{ layers: Layers; seen: Seen; text: PaneText } | undefined> => {
  const canvas = viewport.element.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas');
  const pane = viewport.element.parentElement;
  if (!canvas || !pane) return undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const captured = await afterNextRender(viewport, () => {
      const seen = look();
      return seen && { seen, canvas: copyOf(canvas) };
    });
    // Waits, because lines and text are drawn one frame after their image.
    await nextDrawing();
    await nextDrawing();
    if (!canvas.isConnected) return undefined;
    if (captured && look()?.key === captured.seen.key && !isOverlayLoading(pane)) {
      const { width, height } = canvas.getBoundingClientRect();
      const box = { left: 0, top: 0, width, height };
      const layers = { canvas: captured.canvas, over: overlaysOf(canvas, pane), box };
      return { seen: captured.seen, layers, text: paneTextOf(pane) };
    }
  }
  return undefined;
};
