import { t } from '@radwork/contract/core/translate';
import type { UploadParts } from '@radwork/contract/core/endpoint';
import { boundaryOf, MultipartError, type Part, parameterOf, readMultipart } from '@radwork/dicom/multipart';
import type { FastifyRequest } from 'fastify';
import { malformed, Problem } from '#core/http/problem.ts';
import { bodyOf, BrokenOff, UploadStalled } from './upload-stream.ts';

/** A file in a form, with the name that the browser sent. */
export type SentFile = { name: string; body: AsyncIterable<Buffer> };

/** Maximum number of parts. No endpoint accepts so many files. */
const mostParts = 1000;
/** Maximum number of bytes in the JSON part. The limit also applies to a body without files. */
const largestJson = 1 << 20;

type Reader<T> = {
  /** Validates the body and returns it, or throws. */
  check: (body: unknown) => T;
  take: (file: SentFile) => Promise<void>;
};

/**
 * Reads a form (RFC 7578) while it arrives. The part named by `parts` contains the JSON body, at most once, before or
 * after the files. Throws Problem for an invalid form. If an invalid body comes before the files, the form is refused
 * at once.
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
        if (body) throw malformed(t`The part ${parts.part} appears twice`);
        body = { checked: check(await readJson(part)) };
      } else if (name !== undefined && parts.files.includes(field)) await take({ name, body: part.body });
      // Rejects unknown parts. Otherwise the content of such a part would be lost without a message.
      else if (name !== undefined) {
        const names = parts.files.join(' or ');
        throw malformed(t`Send files in parts named ${names}`);
      }
    }
    return body ? body.checked : check(undefined);
  } catch (error) {
    throw problemOfForm(error);
  }
};

const readJson = async ({ body }: Part): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestJson)
      throw new Problem(413, 'request.too_large', t`The request is larger than the server accepts`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw malformed(t`Invalid request data`);
  }
};

const problemOfForm = (error: unknown): unknown => {
  if (error instanceof MultipartError || error instanceof BrokenOff) return malformed(error.message);
  return error instanceof UploadStalled ? new Problem(408, 'store.stalled', error.message) : error;
};
