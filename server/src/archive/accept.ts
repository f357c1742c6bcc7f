/** One media type that a client accepts, with its parameters by lower-case name; "*" in it stands for anything. */
export type MediaRange = { type: string; parameters: ReadonlyMap<string, string>; quality: number };

/** The most ranges that are looked at; browsers send eight. */
const mostRanges = 32;

/**
 * What a client accepts, most wanted first (RFC 9110 §12.5.1): an Accept header, or the `accept` of a query, which
 * counts more (PS3.18 §8.3.3.1). A client that says nothing accepts anything.
 */
export const acceptedRanges = (accept: string | undefined): MediaRange[] => {
  if (!accept?.trim()) return [{ type: '*/*', parameters: new Map(), quality: 1 }];
  return splitOutsideQuotes(accept.slice(0, 4096), ',')
    .slice(0, mostRanges)
    .map(mediaRange)
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality);
};

/** Whether a range names this media type, such as "image/jpeg". */
export const matches = ({ type }: MediaRange, mediaType: string): boolean => {
  const [family] = mediaType.split('/');
  return type === '*/*' || type === mediaType || type === `${family}/*`;
};

/** The first of these media types, in the client's order of preference, that it accepts. */
export const preferred = <T extends string>(ranges: readonly MediaRange[], mediaTypes: readonly T[]): T | undefined =>
  ranges.flatMap((range) => mediaTypes.filter((mediaType) => matches(range, mediaType)))[0];

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
