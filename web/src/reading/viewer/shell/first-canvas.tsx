import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { fittedPlace, grayPicture } from '#reading/viewer/images/gray/gray-picture.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { type FirstFrame, firstFrame } from '#reading/viewer/images/series/first-frame.ts';
import { endExpecting } from '#reading/viewer/images/series/first-image-wait.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import styles from './first-canvas.module.css';

type Props = {
  image: SeriesImage;
  range: GrayRange;
  /** Edge of the screen at which the image lies. Default: the center. */
  edge?: 'left' | 'right' | undefined;
  /** Whether to fetch the frame. If false, draws the frame only if it is already fetched. */
  isAsking: boolean;
  /** Renders the text over the image, which is drawn with this magnification. */
  children?: (magnification: number) => ReactNode;
};

/** Draws a fitted image without the imaging library. Renders nothing until the frame is fetched. */
export function FirstCanvas({ image, range: { lower, upper }, edge, isAsking, children }: Props) {
  const { data } = useQuery({ ...firstFrame(image), enabled: isAsking });
  const canvas = useRef<HTMLCanvasElement>(null);
  const [magnification, setMagnification] = useState<number>();

  useLayoutEffect(() => {
    const { current } = canvas;
    if (!data || !current) return undefined;
    let drawnSize = '';
    const draw = () => {
      const size = `${current.clientWidth} ${current.clientHeight}`;
      // The observer also reports the size at its start.
      if (size === drawnSize) return;
      drawnSize = size;
      setMagnification(drawOn(current, data, { lower, upper }, edge));
    };
    const resized = new ResizeObserver(draw);
    draw();
    resized.observe(current);
    // Waits for two animation frames: when the second one begins, the first is on screen.
    const request = requestAnimationFrame(() => requestAnimationFrame(endExpecting));
    return () => {
      resized.disconnect();
      cancelAnimationFrame(request);
    };
  }, [data, lower, upper, edge]);

  if (!data) return null;
  return (
    <>
      <canvas ref={canvas} className={styles.picture} data-first-picture />
      {magnification !== undefined && children?.(magnification)}
    </>
  );
}

/** Draws an image at the size of its canvas in screen pixels. Returns the magnification. */
const drawOn = (
  canvas: HTMLCanvasElement,
  { gray, numbers }: FirstFrame,
  range: GrayRange,
  edge: 'left' | 'right' | undefined,
): number | undefined => {
  const width = Math.round(canvas.clientWidth * window.devicePixelRatio);
  const height = Math.round(canvas.clientHeight * window.devicePixelRatio);
  if (width < 1 || height < 1) return undefined;
  canvas.width = width;
  canvas.height = height;
  const picture = new ImageData(grayPicture(numbers, gray, range, { width, height }, edge), width, height);
  canvas.getContext('2d')?.putImageData(picture, 0, 0);
  return fittedPlace(gray, { width, height }).magnification;
};
