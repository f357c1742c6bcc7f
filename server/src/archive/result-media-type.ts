import { type MediaRange, qualityOf } from './accept.ts';

const jsonTypes = ['application/dicom+json', 'application/json'] as const;
/** What parts of XML come in, and what they are. */
export const xmlParts = 'multipart/related';
export const xmlType = 'application/dicom+xml';

/** A form in which data sets are answered: all in one JSON array, or each as a part of XML. */
export type ResultMediaType = (typeof jsonTypes)[number] | typeof xmlParts;

/** In which form a client wants data sets (PS3.18 §8.7.3.2, §8.7.4), rather in JSON; undefined if it wants neither. */
export const resultMediaType = (accept: string | undefined): ResultMediaType | undefined => {
  const wanted = ([...jsonTypes, xmlParts] as const)
    .map((mediaType) => ({ mediaType, quality: qualityOf(accept, mediaType, (range) => isOfXml(range, mediaType)) }))
    .filter(({ quality }) => quality > 0);
  return wanted.toSorted((one, other) => other.quality - one.quality)[0]?.mediaType;
};

/** Parts of another type than XML are something else. */
const isOfXml = ({ parameters }: MediaRange, mediaType: string): boolean =>
  mediaType !== xmlParts || (parameters.get('type') ?? xmlType).toLowerCase() === xmlType;
