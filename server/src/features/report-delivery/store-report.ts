import { Readable } from 'node:stream';
import { encapsulatedPdfStorage } from '#archive/objects.ts';
import { storeInstances } from '#archive/store.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import type { ReportDocument } from './report-document.ts';
import { encapsulatedPdf } from './encapsulated-pdf.ts';
import { makePdf } from './pdf/make-pdf.ts';
import { noteObject, noteStored, type ReportObject, takeOutFormer } from './report-objects.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics' | 'secretKey'>;

/** What a delivery has made at its destination. */
export type Made = { type: string; id: string };

/**
 * Stores a signed report in its study as DICOM, through the one way into the archive, and takes out what was stored of it
 * before under another name. What is there already stays as it is. Throws a Problem in words when the archive does not
 * take it, or has something else under its UID.
 */
export const storeReport = async (archive: Archive, session: Session, document: ReportDocument): Promise<Made[]> => {
  const { scopes, secretKey } = archive;
  const object = await scopes.inTenant(session, (scope) => noteObject(scope, secretKey, document));
  if (!object.isStored) {
    await putIntoArchive(archive, session, document, object);
    await scopes.inTenant(session, (scope) => noteStored(scope, object));
  }
  // Also the one of just now, should the study have been filed under somebody else meanwhile.
  await scopes.inTenant(session, (scope) => takeOutFormer(scope, { reportId: document.reportId }));
  return [{ type: 'DICOM', id: object.sopInstanceUid }];
};

const putIntoArchive = async (archive: Archive, session: Session, document: ReportDocument, object: ReportObject) => {
  const { sopInstanceUid } = object;
  if (await isThere(archive, session, document, sopInstanceUid)) return;
  const file = encapsulatedPdf(document, object, await makePdf(document));
  const { refused } = await storeInstances(archive, session, [{ name: 'report.dcm', body: Readable.from([file]) }], {
    studyInstanceUID: () => document.study.studyInstanceUid,
    announced: { sopClassUID: encapsulatedPdfStorage, sopInstanceUID: sopInstanceUid },
  });
  const [refusal] = refused;
  if (refusal) throw new Problem(422, 'delivery.refused', `The archive does not take the report: ${refusal.reason}`);
};

/** Whether a server that was killed has stored it. Throws for anything else under its UID. */
const isThere = async ({ scopes }: Archive, session: Session, { studyId }: ReportDocument, uid: string) => {
  const known = await scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('instances')
      .select(['study_id', 'sop_class_uid'])
      .where('sop_instance_uid', '=', uid)
      .executeTakeFirst(),
  );
  if (known && (known.study_id !== studyId || known.sop_class_uid !== encapsulatedPdfStorage)) {
    throw new Problem(422, 'delivery.taken', 'The archive has another object under the UID of this report');
  }
  return known !== undefined;
};
