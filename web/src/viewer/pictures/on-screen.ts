import { Enums } from '@cornerstonejs/core';
import { copyOf, drawnOver, isComing, type Said, saidOf } from './drawn-over.ts';
import type { Layers } from './picture.ts';

/** What both kinds of viewport have in common here. */
type Viewport = { element: HTMLDivElement; render: () => void };

/** How long a picture may take to be drawn once more, in milliseconds: a slab on the processor takes its time. */
const patience = 5000;

/** How often a picture that moves on is tried again: a film holds each frame longer than it takes. */
const attempts = 40;

/** Has a viewport drawn once more; resolves to what is asked of it at that moment, undefined when it is never drawn. */
export const onceDrawn = <Answer>(viewport: Viewport, ask: () => Answer): Promise<Answer | undefined> =>
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
 * What is on the screen, and what `look` says of it; both of the same moment, with what is drawn over the same picture
 * and what is said of it.
 * `look` answers undefined while there is no picture that may be shown, and `key` differs where the picture does.
 * Undefined when the picture does not come to rest.
 */
export const takeFromScreen = async <Seen extends { key: string }>(
  viewport: Viewport,
  look: () => Seen | undefined,
): Promise<{ layers: Layers; seen: Seen; said: Said } | undefined> => {
  const canvas = viewport.element.querySelector<HTMLCanvasElement>('canvas.cornerstone-canvas');
  const pane = viewport.element.parentElement;
  if (!canvas || !pane) return undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const taken = await onceDrawn(viewport, () => {
      const seen = look();
      return seen && { seen, canvas: copyOf(canvas) };
    });
    // Lines and words follow their picture with the next drawing.
    await nextDrawing();
    await nextDrawing();
    if (!canvas.isConnected) return undefined;
    if (taken && look()?.key === taken.seen.key && !isComing(pane)) {
      const { width, height } = canvas.getBoundingClientRect();
      const box = { left: 0, top: 0, width, height };
      const layers = { canvas: taken.canvas, over: drawnOver(canvas, pane), box };
      return { seen: taken.seen, layers, said: saidOf(pane) };
    }
  }
  return undefined;
};
