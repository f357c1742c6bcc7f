import type { DicomJson } from '@radwork/dicom/dataset';
import type { FastifyReply } from 'fastify';

/**
 * Answers in DICOM JSON (PS3.18 Annex F). Sends bytes: for text, Fastify would add a charset, which this media type
 * does not have.
 */
export const sendDicomJson = (reply: FastifyReply, json: DicomJson | readonly DicomJson[]) =>
  reply.type('application/dicom+json').send(Buffer.from(JSON.stringify(json)));
