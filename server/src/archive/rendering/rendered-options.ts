import { preferred } from '#archive/accept.ts';
import type { Query } from '#archive/query.ts';
import { malformed, Problem } from '#core/problem.ts';
import type { Window } from './picture.ts';

/** How a client wants its picture (PS3.18 §8.3.5.1). */
export type RenderedOptions = {
  mediaType: 'image/jpeg' | 'image/png';
  /** Of a JPEG, from 1 to 100. */
  quality: number;
  /** The picture is made to fit into this many columns and rows. */
  viewport: { columns: number; rows: number } | undefined;
  window: Window | undefined;
};

const usualQuality = 90;
const largestViewport = 4096;
const shapes: readonly Window['shape'][] = ['linear', 'linear-exact', 'sigmoid'];

/** Reads the options. The parameter `accept` counts more than the header. Throws 400 and 406. */
export const renderedOptions = (query: Query, accept: string | undefined): RenderedOptions => {
  const one = (name: string): string | undefined => query[name]?.[0] || undefined;
  const mediaType = preferred(one('accept') ?? accept, ['image/jpeg', 'image/png']);
  if (!mediaType) throw new Problem(406, 'rendered.media_type', 'Pictures are available as image/jpeg and image/png');
  return {
    mediaType,
    quality: qualityOf(one('quality')),
    viewport: viewportOf(one('viewport')),
    window: windowOf(one('window')),
  };
};

const qualityOf = (text = String(usualQuality)): number => {
  if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 100) throw malformed('quality is 1 to 100');
  return Number(text);
};

const viewportOf = (text: string | undefined) => {
  if (text === undefined) return undefined;
  const [, columns = 0, rows = 0] = (/^(\d{1,4}),(\d{1,4})$/.exec(text) ?? []).map(Number);
  const isPossible = [columns, rows].every((extent) => extent >= 1 && extent <= largestViewport);
  if (!isPossible) throw malformed(`viewport is a width and a height up to ${largestViewport}, such as 256,256`);
  return { columns, rows };
};

const windowOf = (text: string | undefined): Window | undefined => {
  if (text === undefined) return undefined;
  const [center = NaN, width = NaN] = text.split(',', 2).map((part) => (part.trim() === '' ? NaN : Number(part)));
  const shape = shapes.find((known) => known === (text.split(',')[2] ?? 'linear').trim().toLowerCase());
  if (!Number.isFinite(center) || !(width > 0 && width < Infinity) || !shape || text.split(',').length > 3) {
    throw malformed('window is a center, a width and linear, linear-exact or sigmoid, such as 40,400,linear');
  }
  return { center, width, shape };
};
