import { t } from '@lingui/core/macro';
import type { Point, SlideView } from './slide-view.ts';
import type { Pyramid } from './slide.ts';

const formatNumber = (value: number, digits: number): string =>
  value.toLocaleString(undefined, { maximumFractionDigits: digits });

/** Returns a length as text, in µm below a millimeter. */
export const lengthText = (millimeters: number): string => {
  if (millimeters < 1) {
    const micrometers = millimeters * 1000;
    return t`${formatNumber(micrometers, micrometers < 10 ? 2 : micrometers < 100 ? 1 : 0)} µm`;
  }
  return t`${formatNumber(millimeters, millimeters < 10 ? 2 : 1)} mm`;
};

/**
 * Returns the longest scale bar of 1, 2 or 5 times a power of ten that fits into `most` CSS pixels. Undefined without a
 * pixel spacing.
 */
export const scaleBarOf = (
  { spacing }: Pick<Pyramid, 'spacing'>,
  { scale }: Pick<SlideView, 'scale'>,
  most = 140,
): { pixels: number; text: string } | undefined => {
  if (spacing === undefined || !(scale > 0)) return undefined;
  const perPixel = spacing / scale;
  const power = 10 ** Math.floor(Math.log10(most * perPixel));
  const step = [5, 2, 1].find((factor) => factor * power <= most * perPixel) ?? 1;
  const millimeters = step * power;
  return { pixels: millimeters / perPixel, text: lengthText(millimeters) };
};

/** Returns the magnification of a view as text: that of the objective, and micrometers for a pixel of the screen. */
export const magnificationText = (
  { spacing, objective }: Pick<Pyramid, 'spacing' | 'objective'>,
  { scale }: Pick<SlideView, 'scale'>,
): string => {
  const power = objective && formatNumber(objective * scale, objective * scale < 1 ? 2 : 1);
  const micrometers = spacing && formatNumber((spacing * 1000) / scale, 2);
  const percent = formatNumber(100 * scale, scale < 0.1 ? 1 : 0);
  const words = [power && `${power}×`, micrometers && t`${micrometers} µm/pixel`].filter(Boolean);
  return words.length > 0 ? words.join(' · ') : `${percent} %`;
};

/** Returns the distance of two places in millimeters. Undefined without a pixel spacing. */
export const distanceOf = ({ spacing }: Pick<Pyramid, 'spacing'>, one: Point, other: Point): number | undefined =>
  spacing === undefined ? undefined : Math.hypot(one.x - other.x, one.y - other.y) * spacing;
