/** A study that opened: its ID, and the milliseconds from the last key or click to its first image. */
export type OpenedStudy = { id: string; ms: number };

/**
 * Runs in the page before it loads. Records the studies that open in the viewer, with the time from the last key or
 * click to their first image.
 */
export const watchStudies = () => {
  const opened: OpenedStudy[] = [];
  Object.assign(window, { openedStudies: opened });
  let lastInput = 0;
  for (const kind of ['keydown', 'pointerdown'] as const) {
    window.addEventListener(
      kind,
      () => {
        lastInput = performance.now();
      },
      { capture: true },
    );
  }
  const small = document.createElement('canvas');
  small.width = 24;
  small.height = 24;
  const context = small.getContext('2d', { willReadFrequently: true });
  const canvases = () => [
    ...document.querySelectorAll<HTMLCanvasElement>('canvas.cornerstone-canvas, canvas[data-first-picture]'),
  ];
  const isDrawn = (canvas: HTMLCanvasElement): boolean => {
    if (!context || canvas.width < 200) return false;
    context.clearRect(0, 0, small.width, small.height);
    context.drawImage(canvas, 0, 0, small.width, small.height);
    return context.getImageData(0, 0, small.width, small.height).data.some((value, at) => at % 4 < 3 && value > 90);
  };
  let study = '';
  let waiting: { inputAt: number; before: ReadonlySet<HTMLCanvasElement> } | undefined;
  let before: ReadonlySet<HTMLCanvasElement> = new Set();
  const look = () => {
    requestAnimationFrame(look);
    const [, id = ''] = /^\/viewer\/([^/]+)/.exec(window.location.pathname) ?? [];
    if (id !== study) {
      study = id;
      waiting = id === '' ? undefined : { inputAt: lastInput, before };
    }
    const shown = canvases();
    if (waiting) {
      const { inputAt, before: old } = waiting;
      if (shown.some((canvas) => !old.has(canvas) && isDrawn(canvas))) {
        opened.push({ id, ms: performance.now() - inputAt });
        waiting = undefined;
      }
    }
    if (!waiting) before = new Set(shown);
  };
  look();
};
