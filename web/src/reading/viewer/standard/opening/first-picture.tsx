import type { StudyDetails } from '@radwork/contract/imaging/studies';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { HungSeries } from '#reading/viewer/hanging/hanging.ts';
import { type FirstFrame, firstFrame } from '#reading/viewer/images/series/first-frame.ts';
import { fittedMagnification, grayPicture } from '#reading/viewer/images/gray/gray-picture.ts';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { Overlays } from '#reading/viewer/standard/panes/overlays.tsx';
import { endExpecting } from '#reading/viewer/images/series/first-image-wait.ts';
import { type FirstImageView, firstLookOf } from './first-look.ts';
import styles from './first-picture.module.css';
import { describeAsRecorded } from '#reading/viewer/standard/shown-first.ts';

type Props = {
  study: StudyDetails;
  content: HungSeries;
  images: readonly SeriesImage[];
  /** True to fetch the frame. If the imaging library is already loading, only loaded frames are drawn. */
  isAsking?: boolean;
};

/**
 * First image of a pane, drawn by us until the imaging library is ready: same image, window, size and text. Empty if
 * only the library can draw it.
 */
export function FirstPicture(props: Props) {
  const look = firstLookOf(props.content, props.images);
  return look ? <Frame key={look.image.imageId} {...props} look={look} /> : null;
}

function Frame({ study, content, images, look, isAsking = false }: Props & { look: FirstImageView }) {
  const { data } = useQuery({ ...firstFrame(look.image), enabled: isAsking });
  const { lower, upper } = look.range;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [magnification, setMagnification] = useState<number>();

  useLayoutEffect(() => {
    const { current } = canvas;
    if (!data || !current) return undefined;
    const draw = () => setMagnification(drawOn(current, data, { lower, upper }));
    const resized = new ResizeObserver(draw);
    draw();
    resized.observe(current);
    // This frame is on screen when the next one is drawn.
    const request = requestAnimationFrame(() => requestAnimationFrame(endExpecting));
    return () => {
      resized.disconnect();
      cancelAnimationFrame(request);
    };
  }, [data, lower, upper]);

  if (!data) return null;
  return (
    <>
      <canvas ref={canvas} className={styles.picture} data-first-picture />
      {magnification !== undefined && (
        <Overlays
          series={content.series}
          count={images.length}
          shown={describeAsRecorded(look, magnification)}
          patientId={study.patient.patientId}
          isFirst
        />
      )}
    </>
  );
}

/** Draws a frame at the size of its canvas in screen pixels. Returns the magnification. */
const drawOn = (canvas: HTMLCanvasElement, { gray, numbers }: FirstFrame, range: GrayRange): number | undefined => {
  const width = Math.round(canvas.clientWidth * window.devicePixelRatio);
  const height = Math.round(canvas.clientHeight * window.devicePixelRatio);
  if (width < 1 || height < 1) return undefined;
  canvas.width = width;
  canvas.height = height;
  const picture = new ImageData(grayPicture(numbers, gray, range, { width, height }), width, height);
  canvas.getContext('2d')?.putImageData(picture, 0, 0);
  return fittedMagnification(gray, { width, height });
};
