import { t } from '@lingui/core/macro';
import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { CaptureResult } from '#reading/viewer/pictures/picture.ts';
import { scaleBarOf } from './slide-scale.ts';
import type { SlideView } from './slide-view.ts';
import type { Slide, SlidePicture } from './slide.ts';

type Shown = {
  study: StudyDetails;
  series: SeriesSummary;
  slide: Slide;
  picture: SlidePicture;
  facts: readonly string[];
  canvas: HTMLCanvasElement | null;
  view: SlideView | undefined;
};

/** Returns the visible part of a slide with its scale bar, as a picture to save. */
export const slideStill = ({ study, series, slide, picture, facts, canvas: shown, view }: Shown): CaptureResult => {
  const canvas = window.document.createElement('canvas');
  const context = canvas.getContext('2d');
  const isLoading = shown?.closest('[data-pending]')?.getAttribute('data-pending') !== '0';
  if (!shown || !view || !context || isLoading) return t`The slide has not loaded yet`;
  const { width, height } = shown;
  Object.assign(canvas, { width, height });
  context.drawImage(shown, 0, 0);
  drawScaleBar(context, picture, view, width / (shown.clientWidth || width));
  return {
    study,
    series: [series],
    headers: [slide.header],
    sopInstanceUID: picture.instanceUid,
    layers: { canvas, over: [], box: { left: 0, top: 0, width, height } },
    edges: undefined,
    facts: facts.filter(Boolean),
    titles: [],
    place: 'slide',
  };
};

const drawScaleBar = (
  context: CanvasRenderingContext2D,
  { pyramid }: SlidePicture,
  view: SlideView,
  ratio: number,
): void => {
  const bar = scaleBarOf(pyramid, view);
  if (!bar) return;
  const { height } = context.canvas;
  const [left, width, side] = [16 * ratio, bar.pixels * ratio, 46 * ratio];
  context.fillStyle = 'rgba(10, 12, 15, 0.78)';
  context.fillRect(left - 8 * ratio, height - side, width + 16 * ratio, side - 8 * ratio);
  context.fillStyle = '#fff';
  context.fillRect(left, height - 18 * ratio, width, 3 * ratio);
  context.font = `${12 * ratio}px sans-serif`;
  context.textAlign = 'center';
  context.fillText(bar.text, left + width / 2, height - 26 * ratio);
};
