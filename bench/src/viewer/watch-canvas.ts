/**
 * Times in milliseconds since the page began to load. `first` is the first readable image. `library` is the first image
 * drawn by the imaging library, which is ready for interaction. `changes` holds each change after that.
 */
export type CanvasTimes = { first: number | undefined; library: number | undefined; changes: number[] };

/**
 * Runs in the page before it loads. Records when a canvas of the imaging library, which both viewers use, or of our
 * first image shows more than black. Records each later change too. Hatched parts without voxels are too dark to count.
 */
export const watchCanvas = () => {
  const seen: CanvasTimes = { first: undefined, library: undefined, changes: [] };
  const ofLibrary = 'canvas.cornerstone-canvas';
  Object.assign(window, { seen });
  const small = document.createElement('canvas');
  small.width = 24;
  small.height = 24;
  const context = small.getContext('2d', { willReadFrequently: true });
  const before = new Map<HTMLCanvasElement, string>();
  const isOurs = (canvas: HTMLCanvasElement) => !canvas.matches(ofLibrary);
  /** Reads a canvas. Undefined if it shows only black. */
  const pictureOf = (canvas: HTMLCanvasElement): string | undefined => {
    if (canvas.width < 200 || !context) return undefined;
    context.clearRect(0, 0, small.width, small.height);
    context.drawImage(canvas, 0, 0, small.width, small.height);
    const { data } = context.getImageData(0, 0, small.width, small.height);
    return data.some((value, at) => at % 4 < 3 && value > 90) ? data.join() : undefined;
  };
  const look = () => {
    requestAnimationFrame(look);
    // The topmost canvas comes first, or else the largest, because thumbnails use canvases too. A volume has three.
    const canvases = [
      ...document.querySelectorAll<HTMLCanvasElement>(`${ofLibrary}, canvas[data-first-picture]`),
    ].toSorted(
      (one, other) =>
        Number(isOurs(other)) - Number(isOurs(one)) || other.width * other.height - one.width * one.height,
    );
    for (const canvas of canvases.slice(0, 4)) {
      const now = pictureOf(canvas);
      if (now === undefined) continue;
      if (now !== before.get(canvas)) seen.changes.push(performance.now());
      seen.first ??= performance.now();
      if (!isOurs(canvas)) seen.library ??= performance.now();
      before.set(canvas, now);
    }
  };
  look();
};
