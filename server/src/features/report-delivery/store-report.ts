import { Readable } from 'node:stream';
import { storeInstances } from '#archive/store.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import type { ReportDocument } from './report-document.ts';
import { encapsulatedPdf, instanceUidOf } from './encapsulated-pdf.ts';
import { makePdf } from './pdf/make-pdf.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config'>;

/** What a delivery has made at its destination. */
export type Made = { type: string; id: string };

/**
 * Stores a signed report in its study as DICOM, through the one way into the archive. What is there already stays as it
 * is. Throws a Problem in words when the archive does not take it.
 */
export const storeReport = async (archive: Archive, session: Session, document: ReportDocument): Promise<Made[]> => {
  const uid = instanceUidOf(document);
  const made = [{ type: 'DICOM', id: uid }];
  const isThere = await archive.scopes.inTenant(session, ({ db }) =>
    db.selectFrom('instances').select('id').where('sop_instance_uid', '=', uid).executeTakeFirst(),
  );
  if (isThere) return made;
  const file = encapsulatedPdf(document, await makePdf(document));
  const { refused } = await storeInstances(archive, session, [{ name: 'report.dcm', body: Readable.from([file]) }], {
    studyInstanceUID: () => document.study.studyInstanceUid,
  });
  const [refusal] = refused;
  if (refusal) throw new Problem(422, 'delivery.refused', `The archive does not take the report: ${refusal.reason}`);
  return made;
};
