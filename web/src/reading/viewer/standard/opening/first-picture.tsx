import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { chestWallOf } from '#reading/viewer/hanging/projection.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
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
  /**
   * Whether to fetch the frame. If false, draws the frame only if it is already fetched, as when the imaging library is
   * already loading.
   */
  isAsking?: boolean;
};

/**
 * First image of a pane, drawn without the imaging library until the library is ready. Image, window, size and text are
 * the same as the library will show. Renders nothing if only the library can draw the image.
 */
export function FirstPicture(props: Props) {
  const look = firstLookOf(props.content, props.images);
  return look ? <Frame key={look.image.imageId} {...props} look={look} /> : null;
}

function Frame({ study, content, images, look, isAsking = false }: Props & { look: FirstImageView }) {
  const { data } = useQuery({ ...firstFrame(look.image), enabled: isAsking });
  const { lower, upper } = look.range;
  const edge = textOf(look.image.header, tag.Modality) === 'MG' ? chestWallOf(look.image.header) : undefined;
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
      {magnification !== undefined && (
        <Overlays
          series={content.series}
          count={images.length}
          shownImage={describeAsRecorded(look, magnification)}
          patientId={study.patient.patientId}
          isFirst
        />
      )}
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
  return fittedMagnification(gray, { width, height });
};
