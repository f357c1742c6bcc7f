import type { DicomJson } from '@radwork/dicom/dataset';
import { closingBoundary, newBoundary } from '@radwork/dicom/multipart';
import type { FastifyReply } from 'fastify';
import { xmlPart } from '#imaging/archive/dicomweb/native-dicom-xml.ts';
import { orderedJson } from '#imaging/archive/header/instance-metadata.ts';
import { type ResultMediaType, xmlParts, xmlType } from '#imaging/archive/dicomweb/result-media-type.ts';

/** Sends the results of a search: one JSON array, or one XML part for each result (PS3.18 §10.6.3.3). */
export const sendResults = (reply: FastifyReply, mediaType: ResultMediaType, results: readonly DicomJson[]) =>
  mediaType === xmlParts ? sendXml(reply, results) : sendTexts(reply, mediaType, results.map(orderedJson));

/**
 * Sends results that are DICOM JSON already. Sends them as bytes, because Fastify would add a charset parameter to
 * text. These media types do not have this parameter.
 */
export const sendTexts = (
  reply: FastifyReply,
  mediaType: Exclude<ResultMediaType, typeof xmlParts>,
  results: readonly string[],
) => reply.type(mediaType).send(Buffer.from(`[${results.join(',')}]`));

/** A multipart message needs at least one part, so a search without results is answered with 204. */
const sendXml = (reply: FastifyReply, results: readonly DicomJson[]) => {
  if (results.length === 0) return reply.status(204).send();
  const boundary = newBoundary();
  const parts = results.map((result) => xmlPart(boundary, result));
  return reply
    .type(`${xmlParts}; type="${xmlType}"; boundary=${boundary}`)
    .send(Buffer.concat([...parts, closingBoundary(boundary)]));
};
