/**
 * Times in milliseconds since the page began to load. `first` is the first readable image. `library` is the first image
 * drawn by the imaging library, which is ready for interaction. `changes` holds each change after that.
 */
export type CanvasTimes = { first: number | undefined; library: number | undefined; changes: number[] };

/**
 * Runs in the page before it loads. Records when a canvas of the imaging library, which both viewers use, or of our
 * first image shows more than black. Records each later change too.
 */
export const watchCanvas = () => {
  const seen: CanvasTimes = { first: undefined, library: undefined, changes: [] };
  const ofLibrary = 'canvas.cornerstone-canvas';
  Object.assign(window, { seen });
  const small = document.createElement('canvas');
  small.width = 24;
  small.height = 24;
  const context = small.getContext('2d', { willReadFrequently: true });
  let before = '';
  const isOurs = (canvas: HTMLCanvasElement) => !canvas.matches(ofLibrary);
  const look = () => {
    requestAnimationFrame(look);
    // Takes the topmost canvas, or else the largest canvas, because thumbnails use canvases too.
    const [canvas] = [
      ...document.querySelectorAll<HTMLCanvasElement>(`${ofLibrary}, canvas[data-first-picture]`),
    ].toSorted(
      (one, other) =>
        Number(isOurs(other)) - Number(isOurs(one)) || other.width * other.height - one.width * one.height,
    );
    if (!canvas || !context || canvas.width < 200) return;
    context.drawImage(canvas, 0, 0, small.width, small.height);
    const { data } = context.getImageData(0, 0, small.width, small.height);
    const isBright = data.some((value, at) => at % 4 < 3 && value > 90);
    if (!isBright) return;
    const now = data.join();
    if (now !== before) seen.changes.push(performance.now());
    seen.first ??= performance.now();
    if (!isOurs(canvas)) seen.library ??= performance.now();
    before = now;
  };
  look();
};
