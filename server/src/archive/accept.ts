import type { FastifyRequest } from 'fastify';
import { queryOf } from './query.ts';

/** One media type that a client accepts, with its parameters by lower-case name; "*" in it stands for anything. */
export type MediaRange = { type: string; parameters: ReadonlyMap<string, string>; quality: number };

/** The most ranges that are looked at; browsers send eight. */
const mostRanges = 32;
const longestAccept = 4096;

/** What a client says that it accepts: the parameter `accept` of the address counts more than the header (PS3.18 §8.3.3.1). */
export const acceptOf = ({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): string | undefined =>
  queryOf(query)['accept']?.map(withPlus).join(',') || headers.accept;

/** "application/dicom+json" as many write it into an address, where a plus stands for a space; no media type has one. */
const withPlus = (accept: string): string => accept.replaceAll(/(\/[\w.-]+) (?=[\w.-])/g, '$1+');

/** What a client accepts, most wanted first (RFC 9110 §12.5.1). One that says nothing accepts anything. */
export const acceptedRanges = (accept: string | undefined): MediaRange[] =>
  rangesOf(accept)
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);

const rangesOf = (accept: string | undefined): MediaRange[] => {
  if (!accept?.trim()) return [{ type: '*/*', parameters: new Map(), quality: 1 }];
  return splitOutsideQuotes(accept.slice(0, longestAccept), ',').slice(0, mostRanges).map(mediaRange);
};

/** Whether a range names this media type, such as "image/jpeg". */
export const matches = ({ type }: MediaRange, mediaType: string): boolean => {
  const [family] = mediaType.split('/');
  return type === '*/*' || type === mediaType || type === `${family}/*`;
};

/**
 * The media type that a client wants most, undefined if it accepts none of them. Between those that it wants alike
 * the order in which they are offered decides: that of a client's ranges means nothing (RFC 9110 §12.5.1).
 */
export const preferred = <T extends string>(accept: string | undefined, mediaTypes: readonly T[]): T | undefined => {
  const wanted = mediaTypes.map((mediaType) => ({ mediaType, quality: qualityOf(accept, mediaType) }));
  const [best] = wanted.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
  return best?.mediaType;
};

/**
 * How much a media type is wanted, from 0 to 1: what names it says so, and not what stands for anything (RFC 9110 §12.5.1).
 * Ranges that are about something else by their parameters do not count (`isMeant`).
 */
export const qualityOf = (
  accept: string | undefined,
  mediaType: string,
  isMeant: (range: MediaRange) => boolean = () => true,
): number => {
  const matching = rangesOf(accept).filter((range) => matches(range, mediaType) && isMeant(range));
  const wildcards = ({ type }: MediaRange) => type.split('*').length;
  return matching.toSorted((one, other) => wildcards(one) - wildcards(other))[0]?.quality ?? 0;
};

const mediaRange = (text: string): MediaRange => {
  const [type = '', ...parameters] = splitOutsideQuotes(text, ';').map((part) => part.trim());
  const byName = new Map(parameters.map(parameter));
  const quality = Number(byName.get('q') ?? 1);
  return { type: type.toLowerCase(), parameters: byName, quality: Number.isFinite(quality) ? quality : 1 };
};

const parameter = (text: string): [string, string] => {
  const [name = '', ...value] = text.split('=');
  return [
    name.trim().toLowerCase(),
    value
      .join('=')
      .trim()
      .replace(/^"(.*)"$/, '$1'),
  ];
};

const splitOutsideQuotes = (text: string, separator: ',' | ';'): string[] => {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== separator || isQuoted) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
};
