import { uidFrom } from '@radwork/dicom/uid';
import { pathParameter } from '#core/http/path-parameters.ts';
import { auditStudy } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { StreamCall } from '#core/http/http.ts';
import { isId } from '#core/values/ids.ts';
import { notFound } from '#core/http/problem.ts';
import { contentDisposition } from '#imaging/stored-files/download-name.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import type { DocumentKind } from './document-kind.ts';

/** Sends a document about a study as a DICOM file, and writes the download to the audit log. */
export const sendDocument = async (
  { scopes, secretKey }: Pick<Context, 'scopes' | 'secretKey'>,
  { request, reply, session }: StreamCall,
  kind: DocumentKind,
) => {
  const studyId = pathParameter(request, 'id');
  if (!isId(studyId)) throw notFound('study');
  const { document, accessionNumber } = await scopes.inTenant(session, async (scope) => {
    const study = await studyById(scope, studyId);
    const document = await kind.source(scope, study);
    await auditStudy(scope, `${kind.name}.export`, study, document.audited);
    return { document, accessionNumber: study.accession_number };
  });
  // Every download of the same content and time gives the same instance.
  const { contentKey, written } = document;
  const uidOf = (what: string) =>
    uidFrom(
      secretKey.hmac(`${kind.name}-export`, studyId, what, contentKey, written.date, written.time).toString('hex'),
    );
  const file = document.make({
    sopInstanceUid: uidOf('instance'),
    seriesInstanceUid: uidOf('series'),
    instanceNumber: 1,
    written,
  });
  const name = [kind.plural.replaceAll(' ', '-'), accessionNumber].filter(Boolean).join('-');
  return reply
    .type('application/dicom')
    .header('content-disposition', contentDisposition('attachment', `${name}.dcm`))
    .header('cache-control', 'private, no-store')
    .header('x-content-type-options', 'nosniff')
    .send(file);
};
