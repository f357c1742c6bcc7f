import type { UploadParts } from '@radwork/contract/endpoint';
import { boundaryOf, MultipartError, type Part, parameterOf, readMultipart } from '@radwork/dicom/multipart';
import type { FastifyRequest } from 'fastify';
import { malformed, Problem } from './problem.ts';
import { bodyOf, BrokenOff, Stalled } from './upload-stream.ts';

/** A file of a form, under the name that its sender gives it. */
export type SentFile = { name: string; body: AsyncIterable<Buffer> };

/** Far more than any call takes files. */
const mostParts = 1000;
/** Of the part that holds the body; as much as is read of a body without files. */
const largestJson = 1 << 20;

type Reader<T> = {
  /** What the body is, or why it is refused. */
  check: (body: unknown) => T;
  take: (file: SentFile) => Promise<void>;
};

/**
 * Reads a form (RFC 7578) as it arrives: the body stands as JSON in the part that `parts` names, once at most, before or
 * after the files. Throws a Problem for what is no such form. A body that is refused before the files come is refused at
 * once.
 */
export const readForm = async <T>(
  { headers, raw }: FastifyRequest,
  parts: UploadParts,
  { check, take }: Reader<T>,
): Promise<T> => {
  try {
    let body: { checked: T } | undefined;
    for await (const part of readMultipart(bodyOf(raw), boundaryOf(headers['content-type']), { parts: mostParts })) {
      const disposition = part.headers.get('content-disposition') ?? '';
      const [field = '', name] = [parameterOf(disposition, 'name'), parameterOf(disposition, 'filename')];
      if (field === parts.part) {
        if (body) throw malformed(`The part ${parts.part} comes twice`);
        body = { checked: check(await readJson(part)) };
      } else if (name !== undefined && parts.files.includes(field)) await take({ name, body: part.body });
      // What nobody reads would be lost without a word.
      else if (name !== undefined) throw malformed(`Send files in parts that are called ${parts.files.join(' or ')}`);
    }
    return body ? body.checked : check(undefined);
  } catch (error) {
    throw problemOfForm(error);
  }
};

const readJson = async ({ body }: Part): Promise<unknown> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > largestJson)
      throw new Problem(413, 'request.too_large', 'The request is larger than the server accepts');
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString());
  } catch {
    throw malformed('Invalid request data');
  }
};

const problemOfForm = (error: unknown): unknown => {
  if (error instanceof MultipartError || error instanceof BrokenOff) return malformed(error.message);
  return error instanceof Stalled ? new Problem(408, 'store.stalled', error.message) : error;
};
