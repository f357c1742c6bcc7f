import { acceptedRanges, matches, type MediaRange } from './accept.ts';

const jsonTypes = ['application/dicom+json', 'application/json'] as const;
/** What parts of XML come in, and what they are. */
export const xmlParts = 'multipart/related';
export const xmlType = 'application/dicom+xml';

/** A form in which data sets are answered: all in one JSON array, or each as a part of XML. */
export type ResultMediaType = (typeof jsonTypes)[number] | typeof xmlParts;

/** In which form a client wants data sets (PS3.18 §8.7.3.2, §8.7.4), rather in JSON; undefined if it wants neither. */
export const resultMediaType = (accept: string | undefined): ResultMediaType | undefined => {
  const ranges = acceptedRanges(accept);
  const wanted = ([...jsonTypes, xmlParts] as const).flatMap((mediaType) => {
    const quality = ranges.find((range) => matches(range, mediaType) && isOfXml(range, mediaType))?.quality;
    return quality === undefined ? [] : { mediaType, quality };
  });
  return wanted.toSorted((one, other) => other.quality - one.quality)[0]?.mediaType;
};

/** Parts of another type than XML are something else. */
const isOfXml = ({ parameters }: MediaRange, mediaType: string): boolean =>
  mediaType !== xmlParts || (parameters.get('type') ?? xmlType).toLowerCase() === xmlType;
