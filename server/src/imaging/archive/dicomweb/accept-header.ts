import type { FastifyRequest } from 'fastify';
import { queryOf } from './query-parameters.ts';

/** An accepted media type, with parameters by lower-case name. "*" matches every type. */
export type MediaRange = { type: string; parameters: ReadonlyMap<string, string>; quality: number };

/** Maximum number of ranges that are read. Browsers send eight. */
const maxRanges = 32;
const longestAccept = 4096;

/** Returns the accepted types of a request: the parameter `accept` overrides the header (PS3.18 §8.3.3.1). */
export const acceptHeaderOf = ({ query, headers }: Pick<FastifyRequest, 'query' | 'headers'>): string | undefined =>
  queryOf(query)['accept']?.map(withPlus).join(',') || headers.accept;

/** Repairs "application/dicom+json" in a URL, where the plus means a space. No media type contains a space. */
const withPlus = (accept: string): string => accept.replaceAll(/(\/[\w.-]+) (?=[\w.-])/g, '$1+');

/** Returns the accepted ranges, most wanted first (RFC 9110 §12.5.1). Without a header, every type is accepted. */
export const acceptedRanges = (accept: string | undefined): MediaRange[] =>
  rangesOf(accept)
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);

const rangesOf = (accept: string | undefined): MediaRange[] => {
  if (!accept?.trim()) return [{ type: '*/*', parameters: new Map(), quality: 1 }];
  return splitOutsideQuotes(accept.slice(0, longestAccept), ',').slice(0, maxRanges).map(mediaRange);
};

/** Returns whether a range includes a media type such as "image/jpeg". */
export const matchesMediaType = ({ type }: MediaRange, mediaType: string): boolean => {
  const [family] = mediaType.split('/');
  return type === '*/*' || type === mediaType || type === `${family}/*`;
};

/**
 * Returns the media type that a client wants most, or undefined if it accepts none. Between equally wanted types, the
 * order of our offer decides: the order of a client's ranges has no meaning (RFC 9110 §12.5.1).
 */
export const preferredMediaType = <T extends string>(
  accept: string | undefined,
  mediaTypes: readonly T[],
): T | undefined => {
  const candidates = mediaTypes.map((mediaType) => ({ mediaType, quality: qualityOf(accept, mediaType) }));
  const [best] = candidates.filter(({ quality }) => quality > 0).toSorted((one, other) => other.quality - one.quality);
  return best?.mediaType;
};

/**
 * Returns how much a client wants a media type, from 0 to 1. The most specific range decides (RFC 9110 §12.5.1). Skips
 * ranges for which `isMeant` is false, because their parameters ask for another form.
 */
export const qualityOf = (
  accept: string | undefined,
  mediaType: string,
  isMeant: (range: MediaRange) => boolean = () => true,
): number => {
  const matching = rangesOf(accept).filter((range) => matchesMediaType(range, mediaType) && isMeant(range));
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
