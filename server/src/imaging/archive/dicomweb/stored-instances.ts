import type { Context } from '#core/context.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { createMemory, ownBytes } from '#core/resources/least-recently-used.ts';

/** Encapsulated PDF Storage. Signed reports are stored with this class and can be removed from a study. */
export const encapsulatedPdfStorage = '1.2.840.10008.5.1.4.1.1.104.1';

/** `contentRevision` grows when the facts of stored instances change. */
export type StudyRef = { id: string; patientId: string; contentRevision: number };

/** Facts needed to serve an instance, without its bytes. The facts change only with `contentRevision`. */
export type StoredInstance = {
  id: string;
  sopInstanceUid: string;
  sopClassUid: string;
  transferSyntaxUid: string;
  sha256: string;
  size: number;
  rows: number;
  columns: number;
  bitsAllocated: number | null;
  photometricInterpretation: string;
  numberOfFrames: number;
  isRenderable: boolean;
  /** Format of dicom/src/frame-index.ts. Null when there are no frames, or when the frames cannot be separated. */
  frameIndex: Buffer | null;
  /** Revision of the study's contents. */
  contentRevision: number;
};

export type Objects = ReturnType<typeof createObjects>;

/** Milliseconds after which the database is asked again, even if no change was announced. */
const longestTrust = 10_000;
const studiesRemembered = 20_000;
const bytesRemembered = 64 << 20;
/** Bytes of memory that an instance takes, without its frame index. */
const bytesOfInstance = 600;

/**
 * Finds studies and instances by UID for a caller. Caches them, so that reading a frame needs no transaction. Access to
 * a study is cached per caller, and only while the database reports access changes (Sessions.accessVersion). Instances
 * are cached per tenant. Stored reports are looked up each time, because they leave a study that is filed under another
 * patient. Throws the same 404 for missing and for hidden data.
 */
export const createObjects = ({ scopes, sessions }: Pick<Context, 'scopes' | 'sessions'>) => {
  const studies = createMemory<{ study: StudyRef; version: number; requestedAt: number }>(studiesRemembered);
  const series = createMemory<Map<string, StoredInstance>>(bytesRemembered, bytesOf);

  const findStudy = (session: Session, studyUid: string): Promise<StudyRef | undefined> =>
    scopes.inTenant(session, async ({ db }) => {
      const row = await db
        .selectFrom('studies')
        .select(['id', 'patient_id', 'content_revision'])
        .where('study_instance_uid', '=', studyUid)
        .where('deleted_at', 'is', null)
        .where(mayKnowStudy(session, 'studies.id'))
        .executeTakeFirst();
      return row && { id: row.id, patientId: row.patient_id, contentRevision: row.content_revision };
    });

  const study = async (session: Session, studyUid: string): Promise<StudyRef> => {
    const version = sessions.accessVersion();
    // Devices have no user. Their groups differ.
    const groups = session.studyGroups?.join() ?? 'all';
    const key = `${session.tenantId} ${session.userId} ${session.userType} ${groups} ${studyUid}`;
    const known = studies.recall(key);
    if (known && known.version === version && Date.now() - known.requestedAt < longestTrust) return known.study;
    const requestedAt = Date.now();
    const currentStudy = orNotFound(await findStudy(session, studyUid), 'study');
    if (version !== undefined) studies.remember(key, { study: currentStudy, version, requestedAt });
    return currentStudy;
  };

  const findSeries = (session: Session, studyId: string, seriesUid: string): Promise<Map<string, StoredInstance>> =>
    scopes.inTenant(session, async ({ db }) => {
      const rows = await db
        .selectFrom('instances')
        .innerJoin('series', 'series.id', 'instances.series_id')
        .innerJoin('studies', 'studies.id', 'series.study_id')
        .select(['instances.id', 'sop_instance_uid', 'sop_class_uid', 'transfer_syntax_uid', 'sha256', 'size'])
        .select(['rows', 'columns', 'bits_allocated'])
        .select(['photometric_interpretation', 'number_of_frames', 'is_renderable', 'frame_index'])
        .select('content_revision')
        .where('series.series_instance_uid', '=', seriesUid)
        .where('series.study_id', '=', studyId)
        .execute();
      return new Map(rows.map((row) => [row.sop_instance_uid, storedInstance(row)]));
    });

  return {
    study,

    instance: async (
      session: Session,
      { id: studyId, contentRevision }: StudyRef,
      seriesUid: string,
      instanceUid: string,
    ): Promise<StoredInstance> => {
      const key = `${session.tenantId} ${studyId} ${contentRevision} ${seriesUid}`;
      const known = series.recall(key)?.get(instanceUid);
      if (known) return known;
      const instances = await findSeries(session, studyId, seriesUid);
      const instance = orNotFound(instances.get(instanceUid), 'instance');
      if (instance.sopClassUid !== encapsulatedPdfStorage) series.remember(key, instances);
      return instance;
    },
  };
};

const bytesOf = (instances: Map<string, StoredInstance>): number => {
  let bytes = 0;
  for (const { frameIndex } of instances.values()) bytes += bytesOfInstance + (frameIndex?.length ?? 0);
  return bytes;
};

type Row = {
  id: string;
  sop_instance_uid: string;
  sop_class_uid: string;
  transfer_syntax_uid: string;
  sha256: Buffer;
  size: number;
  rows: number | null;
  columns: number | null;
  bits_allocated: number | null;
  photometric_interpretation: string;
  number_of_frames: number;
  is_renderable: boolean;
  frame_index: Buffer | null;
  content_revision: number;
};

const storedInstance = (row: Row): StoredInstance => ({
  id: row.id,
  sopInstanceUid: row.sop_instance_uid,
  sopClassUid: row.sop_class_uid,
  transferSyntaxUid: row.transfer_syntax_uid,
  sha256: row.sha256.toString('hex'),
  size: row.size,
  rows: row.rows ?? 0,
  columns: row.columns ?? 0,
  bitsAllocated: row.bits_allocated,
  photometricInterpretation: row.photometric_interpretation,
  numberOfFrames: row.number_of_frames,
  isRenderable: row.is_renderable,
  frameIndex: row.frame_index && ownBytes(row.frame_index),
  contentRevision: row.content_revision,
});
