import { t } from '@radwork/contract/core/translate';
import { acceptedRanges, preferredMediaType } from '#imaging/archive/dicomweb/accept-header.ts';
import type { Query } from '#imaging/archive/dicomweb/query-parameters.ts';
import { malformed, Problem } from '#core/http/problem.ts';
import type { Window } from '#imaging/archive/pixels/pixel-format.ts';
import type { ViewedAs } from '#imaging/archive/render-process/viewed-region.ts';

const mediaTypes = ['image/jpeg', 'image/png'] as const;

/** A region of an image in its columns and rows. It may be flipped horizontally or vertically. */
export type Region = {
  left: number;
  top: number;
  /** Undefined: up to the edge of the image. */
  columns: number | undefined;
  rows: number | undefined;
  isMirrored: boolean;
  isUpsideDown: boolean;
};

/** The form of a rendered image that a client requests (PS3.18 §8.3.5.1). */
export type RenderedOptions = {
  mediaType: (typeof mediaTypes)[number];
  /** Quality of a JPEG, from 1 to 100. */
  quality: number;
  /** Columns and rows into which the rendered image must fit. */
  viewport: { columns: number; rows: number } | undefined;
  region: Region | undefined;
  window: Window | undefined;
  /** True when a color image must include its color profile, sRGB. */
  hasColorProfile: boolean;
  /** A user's view in our viewer. DICOMweb clients cannot request it. */
  seen?: ViewedAs;
};

const usualQuality = 90;
const largestViewport = 4096;
const shapes: readonly Window['shape'][] = ['linear', 'linear-exact', 'sigmoid'];
const words = () => t`Images are available as image/jpeg and image/png, several images as multipart/related`;

/** Returns whether a client prefers multipart even for a single image. */
export const prefersParts = (accept: string | undefined): boolean =>
  acceptedRanges(accept)[0]?.type === 'multipart/related';

/** Returns whether a client accepts multipart. */
export const acceptsParts = (accept: string | undefined): boolean =>
  acceptedRanges(accept).some(({ type }) => ['multipart/related', 'multipart/*', '*/*'].includes(type));

/** Reads the options from a query. The parameter `accept` overrides the header. Throws 400 and 406. */
export const renderedOptions = (query: Query, accept: string | undefined): RenderedOptions => {
  const one = (name: string): string | undefined => query[name]?.[0] || undefined;
  return {
    mediaType: mediaTypeOf(one('accept') ?? accept),
    quality: qualityOf(one('quality')),
    ...viewportOf(one('viewport')),
    window: windowOf(one('window')),
    hasColorProfile: colorProfileOf(one('iccprofile')),
  };
};

/** Default size of a thumbnail, as in lists. */
const usualThumbnail = { columns: 256, rows: 256 };

/** Reads the options of a thumbnail: a size and the media type (PS3.18 §10.4.1.1.4). Throws 400 and 406. */
export const thumbnailOptions = (query: Query, accept: string | undefined): RenderedOptions => {
  const { viewport, region, ...options } = renderedOptions(query, accept);
  if (region) throw malformed(t`viewport of a thumbnail must be a width and a height, such as 256,256`);
  return { ...options, region, viewport: viewport ?? usualThumbnail };
};

const mediaTypeOf = (accept: string | undefined): RenderedOptions['mediaType'] => {
  const [first] = acceptedRanges(accept);
  const ofParts = first?.type === 'multipart/related' ? (first.parameters.get('type') ?? 'image/jpeg') : undefined;
  const mediaType = preferredMediaType(ofParts ?? accept, mediaTypes);
  if (!mediaType) throw new Problem(406, 'rendered.media_type', words());
  return mediaType;
};

const qualityOf = (text = String(usualQuality)): number => {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 100) throw malformed(t`quality must be 1 to 100`);
  return Number(text);
};

/**
 * Reads a viewport "256,256", or with a region of the image "256,256,left,top,columns,rows". Parts of the region may be
 * empty.
 */
const viewportOf = (text: string | undefined): Pick<RenderedOptions, 'viewport' | 'region'> => {
  if (text === undefined) return { viewport: undefined, region: undefined };
  const parts = /^(\d{1,4}),(\d{1,4})(?:,(\d{0,5}),(\d{0,5}),(-?\d{1,5})?,(-?\d{1,5})?)?$/.exec(text);
  const [columns = 0, rows = 0] = parts?.slice(1, 3).map(Number) ?? [];
  const isPossible = [columns, rows].every((extent) => extent >= 1 && extent <= largestViewport);
  if (!parts || !isPossible) {
    throw malformed(t`viewport must be a width and a height up to ${largestViewport}, such as 256,256`);
  }
  return { viewport: { columns, rows }, region: parts[3] === undefined ? undefined : regionOf(parts.slice(3)) };
};

const regionOf = ([left, top, columns, rows]: (string | undefined)[]): Region => {
  if (Number(columns ?? 1) === 0 || Number(rows ?? 1) === 0)
    throw malformed(t`viewport must name a region that is not empty`);
  const extentOf = (text: string | undefined) => (text === undefined ? undefined : Math.abs(Number(text)));
  return {
    left: Number(left ?? 0),
    top: Number(top ?? 0),
    columns: extentOf(columns),
    rows: extentOf(rows),
    isMirrored: Number(columns ?? 1) < 0,
    isUpsideDown: Number(rows ?? 1) < 0,
  };
};

/**
 * Reads a window. Accepts the function names of PS3.18 §8.3.5.1.4, and LINEAR_EXACT of PS3.3 §C.11.2.1.3, which images
 * use.
 */
const windowOf = (text: string | undefined): Window | undefined => {
  if (text === undefined) return undefined;
  const [center = NaN, width = NaN] = text.split(',', 2).map((part) => (part.trim() === '' ? NaN : Number(part)));
  const name = (text.split(',')[2] ?? 'linear').trim().toLowerCase().replace('_', '-');
  const shape = shapes.find((known) => known === name);
  if (!Number.isFinite(center) || !(width > 0 && width < Infinity) || !shape || text.split(',').length > 3) {
    throw malformed(t`window must be a center, a width and linear, linear-exact or sigmoid, such as 40,400,linear`);
  }
  return { center, width, shape };
};

const colorProfileOf = (text = 'no'): boolean => {
  if (['yes', 'srgb'].includes(text)) return true;
  if (text === 'no') return false;
  throw malformed(t`iccprofile must be no, yes or srgb; color images are in sRGB`);
};
