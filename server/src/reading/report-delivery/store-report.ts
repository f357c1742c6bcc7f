import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { encapsulatedPdfStorage } from '#imaging/archive/dicomweb/stored-instances.ts';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import type { ReportDocument } from './report-document.ts';
import { encapsulatedPdf } from './encapsulated-pdf.ts';
import { makePdf } from './pdf/make-pdf.ts';
import { registerInstance, recordStored, type ReportObject, removeOutdated } from './stored-report-instances.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics' | 'secretKey'>;

/** Resources that were created at the destination. */
export type CreatedResource = { type: string; id: string };

/**
 * Stores a signed report in its study as DICOM, in the same way as uploads. Removes earlier versions with another
 * patient name. An instance that already exists stays. Throws a Problem when the archive refuses the instance, or has
 * another instance with the same UID.
 */
export const storeReport = async (
  archive: Archive,
  session: Session,
  document: ReportDocument,
): Promise<CreatedResource[]> => {
  const { scopes, secretKey } = archive;
  const object = await scopes.inTenant(session, (scope) => registerInstance(scope, secretKey, document));
  if (!object.isStored) {
    await putIntoArchive(archive, session, document, object);
    await scopes.inTenant(session, (scope) => recordStored(scope, object));
  }
  // The new instance may be outdated too, because its study may have been moved before it was stored.
  await scopes.inTenant(session, (scope) => removeOutdated(scope, { reportId: document.reportId }));
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
  if (refusal) throw new Problem(422, 'delivery.refused', t`The archive rejected the report: ${refusal.reason}`);
};

/**
 * Returns whether the instance is already stored, for example by a server that was killed before it could record this.
 * Throws 422 if another instance has its UID.
 */
const isThere = async ({ scopes }: Archive, session: Session, { studyId }: ReportDocument, uid: string) => {
  const known = await scopes.inTenant(session, ({ db }) =>
    db
      .selectFrom('instances')
      .select(['study_id', 'sop_class_uid'])
      .where('sop_instance_uid', '=', uid)
      .executeTakeFirst(),
  );
  if (known && (known.study_id !== studyId || known.sop_class_uid !== encapsulatedPdfStorage)) {
    throw new Problem(422, 'delivery.taken', t`The archive has another instance with the UID of this report`);
  }
  return known !== undefined;
};
