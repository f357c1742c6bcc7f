import { type MediaRange, qualityOf } from './accept-header.ts';

const jsonTypes = ['application/dicom+json', 'application/json'] as const;
/** Container and type of XML parts. */
export const xmlParts = 'multipart/related';
export const xmlType = 'application/dicom+xml';

/** Form of an answer with data sets: one JSON array, or XML parts. */
export type ResultMediaType = (typeof jsonTypes)[number] | typeof xmlParts;

/**
 * Returns the form that a client wants for data sets (PS3.18 §8.7.3.2, §8.7.4). JSON is preferred. Undefined when the
 * client accepts neither form.
 */
export const resultMediaType = (accept: string | undefined): ResultMediaType | undefined => {
  const candidates = ([...jsonTypes, xmlParts] as const)
    .map((mediaType) => ({ mediaType, quality: qualityOf(accept, mediaType, (range) => isOfXml(range, mediaType)) }))
    .filter(({ quality }) => quality > 0);
  return candidates.toSorted((one, other) => other.quality - one.quality)[0]?.mediaType;
};

/** Excludes multipart whose parts are not XML. */
const isOfXml = ({ parameters }: MediaRange, mediaType: string): boolean =>
  mediaType !== xmlParts || (parameters.get('type') ?? xmlType).toLowerCase() === xmlType;
