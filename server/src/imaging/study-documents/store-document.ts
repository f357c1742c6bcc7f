import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { uidFrom } from '@radwork/dicom/uid';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import { auditStudy } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { Problem } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import type { DocumentKind, StudyDocument } from './document-kind.ts';
import type { Instance } from './study-document.ts';

type Archive = Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics' | 'secretKey'>;

type Stored = { seriesInstanceUID: string; sopInstanceUID: string; isNew: boolean };

/**
 * Stores a document in a series of its study, in the same way as uploads. A later document references the document that
 * it replaces, if its kind supports that. Stores nothing when the last document has the same content. Throws 404 for
 * the study, and 422 for an empty document or one that the archive refuses.
 */
export const storeDocument = async (
  archive: Archive,
  session: Session,
  studyId: string,
  kind: DocumentKind,
): Promise<Stored> => {
  const { scopes, secretKey } = archive;
  const hmac = (...parts: string[]) =>
    uidFrom(secretKey.hmac(`${kind.name}-report`, studyId, ...parts).toString('hex'));
  // The UID depends on a secret of the installation, so that no file from outside can take it first.
  const seriesInstanceUID = hmac('series');
  const { document, earlier } = await scopes.inTenant(session, async (scope) => ({
    document: await kind.source(scope, await studyById(scope, studyId)),
    earlier: await storedBefore(scope, studyId, seriesInstanceUID),
  }));
  const uidAfter = (one: Instance | undefined) => hmac('instance', one?.sopInstanceUid ?? '', document.contentKey);
  const last = earlier.at(-1);
  if (last && uidAfter(earlier.at(-2)) === last.sopInstanceUid) {
    return { sopInstanceUID: last.sopInstanceUid, seriesInstanceUID, isNew: false };
  }
  const sopInstanceUID = uidAfter(last);
  const file = document.make({
    sopInstanceUid: sopInstanceUID,
    seriesInstanceUid: seriesInstanceUID,
    instanceNumber: earlier.length + 1,
    predecessor: kind.hasPredecessors ? last : undefined,
    written: document.written,
  });
  const isNew = await putIntoArchive(archive, session, kind, { document, sopInstanceUID, file });
  if (isNew) {
    await scopes.inTenant(session, async (scope) => {
      const detail = { ...document.audited, sopInstanceUid: sopInstanceUID };
      await auditStudy(scope, `${kind.name}.store`, await studyById(scope, studyId), detail);
    });
  }
  return { sopInstanceUID, seriesInstanceUID, isNew };
};

/** Returns the study's documents of this kind, oldest first. */
const storedBefore = ({ db }: Scope, studyId: string, seriesInstanceUid: string): Promise<Instance[]> =>
  db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select(['i.sop_instance_uid as sopInstanceUid', 'i.sop_class_uid as sopClassUid'])
    .where('i.study_id', '=', studyId)
    .where('s.series_instance_uid', '=', seriesInstanceUid)
    .orderBy('i.instance_number')
    .orderBy('i.created_at')
    .execute();

type CreatedDocument = { document: StudyDocument; sopInstanceUID: string; file: Buffer };

/** Stores the file and returns whether it is new. Another call may have stored the same document at the same time. */
const putIntoArchive = async (
  archive: Archive,
  session: Session,
  { name, plural }: DocumentKind,
  { document, sopInstanceUID, file }: CreatedDocument,
): Promise<boolean> => {
  const { refused } = await storeInstances(archive, session, [{ name: `${plural}.dcm`, body: Readable.from([file]) }], {
    studyInstanceUID: () => document.studyInstanceUid,
    announced: { sopClassUID: document.sopClassUid, sopInstanceUID },
  });
  const [refusal] = refused;
  if (!refusal) return true;
  const isThere = await archive.scopes.inTenant(session, ({ db }) =>
    db.selectFrom('instances').select('id').where('sop_instance_uid', '=', sopInstanceUID).executeTakeFirst(),
  );
  if (isThere) return false;
  throw new Problem(422, t`${name}.refused`, t`The archive rejected the ${plural}: ${refusal.reason}`);
};
