import { type Sentence, t, translatedSentence } from '@radwork/contract/core/translate';
import { pathParameter } from '#core/http/path-parameters.ts';
import { strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { StreamCall } from '#core/http/http.ts';
import { isId } from '#core/values/ids.ts';
import { orNotFound, notFound, Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { contentDisposition } from './download-name.ts';
import { refusalOfPdf } from './pdf-check.ts';

type Archive = Pick<Context, 'blobs' | 'scopes'>;

/** Types that may open in the browser window, because none of them can run code. */
const shownByBrowsers = new Set(['image/jpeg', 'image/png', 'application/pdf']);

/** Headers for files from users: they are not cached, and the browser runs nothing in them. */
export const headersOfFile = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': `sandbox; default-src 'none'`,
};

export type FileRow = {
  id: string;
  filename: string;
  content_type: string;
  size: number;
  sha256: Buffer;
  frames: number | null;
  /** Why the file is not sent, in English. Empty after a check that found nothing, null before the check. */
  refusal: string | null;
  /** The same reason as a sentence. Null for files that were refused before migration 0110. */
  refusal_sentence: unknown;
};

/** Returns the file in the path of a call. Throws 404 for files of other tenants. */
export const fileOfCall = async (
  { scopes }: Archive,
  { request, session }: StreamCall,
  isNoted: boolean,
): Promise<FileRow> => {
  const id = pathParameter(request, 'id');
  if (!isId(id)) throw notFound('file');
  return scopes.inTenant(session, async (scope) => {
    const row = await scope.db
      .selectFrom('stored_files')
      .select(['id', 'filename', 'content_type', 'size', 'sha256', 'frames', 'refusal', 'refusal_sentence'])
      .where('id', '=', id)
      .executeTakeFirst();
    const file = orNotFound(row, 'file');
    if (isNoted) await audit(scope, 'stored_file.download', { entity: 'stored_file', entityId: file.id });
    return file;
  });
};

/** Checks a PDF that was stored before the server checked PDFs. Stores the result, so that the check runs once. */
const checkStored = async ({ blobs, scopes }: Archive, session: Session, file: FileRow): Promise<string> => {
  const sha256 = file.sha256.toString('hex');
  const read = (offset: number, length: number) => blobs.read(session.tenantId, sha256, offset, length);
  const refusal = await refusalOfPdf({ size: file.size, read });
  await scopes.inTenant(session, ({ db }) =>
    db
      .updateTable('stored_files')
      .set({ refusal: refusal?.english ?? '', refusal_sentence: refusal ? JSON.stringify(refusal) : null })
      .where('id', '=', file.id)
      .execute(),
  );
  return refusal ? translatedSentence(refusal) : '';
};

/** Returns the stored reason in the user's language. Reasons from before migration 0110 keep their text. */
const storedRefusal = ({ refusal, refusal_sentence }: FileRow): string | null =>
  refusal_sentence === null ? refusal : translatedSentence(refusal_sentence as Sentence);

/**
 * Sends a file unchanged, whole or in ranges. Writes an audit entry before the first byte is sent, if the request
 * includes the start of the file. Requests for later ranges, which together may cover nearly the whole file, get one
 * entry together.
 */
export const sendFile = async (archive: Archive & Pick<Context, 'auditReads'>, call: StreamCall) => {
  const { request, session } = call;
  const isTaken = request.method !== 'HEAD';
  const isBeginning = !request.headers.range || request.headers.range.startsWith('bytes=0-');
  const file = await fileOfCall(archive, call, isTaken && isBeginning);
  if (isTaken && !isBeginning) {
    const subject = { entity: 'stored_file', entityId: file.id } as const;
    archive.auditReads.recordReading(session, 'stored_file.download', subject, `pieces of ${file.id}`);
  }
  const sha256 = file.sha256.toString('hex');
  const refusal = storedRefusal(file) ?? (await checkStored(archive, session, file));
  if (refusal) throw new Problem(409, 'file.active', t`${refusal}. Replace the file.`);
  const kind = shownByBrowsers.has(file.content_type) ? 'inline' : 'attachment';
  // Turns off compression, because ranges count the bytes of the file.
  request.headers['x-no-compression'] = 'true';
  return sendBytes(call, {
    contentType: file.content_type === 'text/plain' ? 'text/plain; charset=utf-8' : file.content_type,
    etag: strongTag(sha256),
    headers: { ...headersOfFile, 'content-disposition': contentDisposition(kind, file.filename) },
    size: file.size,
    read: (range) => archive.blobs.stream(session.tenantId, sha256, range),
  });
};
