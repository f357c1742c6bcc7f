import type { DicomJson } from '@radwork/dicom/dataset';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import type { FastifyReply } from 'fastify';
import { acceptedRanges, matches, type MediaRange } from './accept.ts';
import { dicomXml } from './dicom-xml.ts';

const jsonTypes = ['application/dicom+json', 'application/json'] as const;
const xmlParts = 'multipart/related';
const xmlType = 'application/dicom+xml';

export type SearchMediaType = (typeof jsonTypes)[number] | typeof xmlParts;

/** In which of its forms a client wants the results of a search (PS3.18 §8.7.4); undefined if it wants none of them. */
export const searchMediaType = (accept: string | undefined): SearchMediaType | undefined => {
  const ranges = acceptedRanges(accept);
  const wanted = ([...jsonTypes, xmlParts] as const).flatMap((mediaType) => {
    const quality = ranges.find((range) => matches(range, mediaType) && isOfXml(range, mediaType))?.quality;
    return quality === undefined ? [] : { mediaType, quality };
  });
  return wanted.toSorted((one, other) => other.quality - one.quality)[0]?.mediaType;
};

/** Parts of another type than XML are not what a search answers with. */
const isOfXml = ({ parameters }: MediaRange, mediaType: string): boolean =>
  mediaType !== xmlParts || (parameters.get('type') ?? xmlType).toLowerCase() === xmlType;

/** Sends the results of a search: one JSON array, or a part of XML for each of them (PS3.18 §10.6.3.3). */
export const sendResults = (reply: FastifyReply, mediaType: SearchMediaType, results: readonly DicomJson[]) =>
  mediaType === xmlParts
    ? sendXml(reply, results)
    : // As bytes: Fastify would add a charset, which this media type does not have.
      reply.type(mediaType).send(Buffer.from(`[${results.map(jsonText).join(',')}]`));

/** JSON with the attributes in the order of their tags, also of those that JavaScript takes for numbers. */
const jsonText = (result: DicomJson): string => {
  const members = Object.keys(result)
    .toSorted()
    .map((tag) => `"${tag}":${JSON.stringify(result[tag])}`);
  return `{${members.join(',')}}`;
};

/** Multipart without parts is no multipart: no results are no content. */
const sendXml = (reply: FastifyReply, results: readonly DicomJson[]) => {
  if (results.length === 0) return reply.status(204).send();
  const boundary = newBoundary();
  const parts = results.flatMap((result) => [
    partHeader({ boundary, contentType: xmlType }),
    Buffer.from(dicomXml(result)),
  ]);
  return reply
    .type(`${xmlParts}; type="${xmlType}"; boundary=${boundary}`)
    .send(Buffer.concat([...parts, closingBoundary(boundary)]));
};
