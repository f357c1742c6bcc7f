import { parameterOf, readMultipart } from '@radwork/dicom/multipart';
import { form, type TestFile } from './multipart-upload.ts';
import type { Person } from './world.ts';

/** Stores files as a user who has the permission. Throws unless all files are stored. */
export const storeAs = async (person: Person, ...files: readonly TestFile[]): Promise<void> => {
  const answer = await person.request({ method: 'POST', url: '/api/stow-rs/studies', ...form(...files) });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${answer.body}`);
};

/** Reads from the archive. Paths are relative to WADO-RS. */
export const getFrom = (person: Person, path: string, headers: Record<string, string> = {}) =>
  person.request({ method: 'GET', url: `/api/wado-rs${path}`, headers });

export type AnsweredPart = { contentType: string | undefined; body: Buffer };

/** Returns the parts of a multipart reply. */
export const partsOf = async (answer: {
  headers: Record<string, unknown>;
  rawPayload: Buffer;
}): Promise<AnsweredPart[]> => {
  const boundary = parameterOf(String(answer.headers['content-type']), 'boundary') ?? '';
  const parts: AnsweredPart[] = [];
  for await (const { headers, body } of readMultipart(inPieces(answer.rawPayload), boundary)) {
    const chunks: Buffer[] = [];
    for await (const chunk of body) chunks.push(chunk);
    parts.push({ contentType: headers.get('content-type'), body: Buffer.concat(chunks) });
  }
  return parts;
};

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
