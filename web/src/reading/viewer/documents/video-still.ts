import { t } from '@lingui/core/macro';
import type { CaptureResult } from '#reading/viewer/pictures/picture.ts';
import type { DocumentProps } from './document-props.tsx';

/** Returns the frame that a video shows, as a picture to save. */
export const stillOf = (
  { study, series, document }: DocumentProps,
  video: HTMLVideoElement | null,
  words: string,
  frame: number,
): CaptureResult => {
  const canvas = window.document.createElement('canvas');
  const context = canvas.getContext('2d');
  if (!video || !context || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    return t`The video has not loaded yet`;
  }
  const { videoWidth: width, videoHeight: height } = video;
  Object.assign(canvas, { width, height });
  context.drawImage(video, 0, 0);
  return {
    study,
    series: [series],
    headers: [document.header],
    sopInstanceUID: document.sopInstanceUID,
    layers: { canvas, over: [], box: { left: 0, top: 0, width, height } },
    edges: undefined,
    facts: [words],
    titles: [],
    place: `frame-${frame}`,
  };
};
