import type { Context } from '#core/context.ts';
import { found } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { mayKnowStudy } from '#core/study-access.ts';
import { createMemory, ownBytes } from './memory.ts';

/** Encapsulated PDF Storage: what signed reports are stored as, and taken out of a study again. */
export const encapsulatedPdfStorage = '1.2.840.10008.5.1.4.1.1.104.1';

export type StudyRef = { id: string; patientId: string };

/** All that serving an instance takes, apart from its bytes. None of it ever changes. */
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
  /** Of dicom/src/frame-index.ts; null when there are no frames, or they cannot be told apart. */
  frameIndex: Buffer | null;
};

export type Objects = ReturnType<typeof createObjects>;

/** However long nothing is heard, the database is asked again after this many milliseconds. */
const longestTrust = 10_000;
const studiesRemembered = 20_000;
const bytesRemembered = 64 << 20;
/** What an instance takes in memory, apart from its frame index. */
const bytesOfInstance = 600;

/**
 * Finds studies and instances by their UIDs for a caller, and remembers them, so that a frame costs no transaction.
 * Who may see a study is remembered only while the database says when that changes (Sessions.accessVersion), and for
 * each caller apart; what an instance is, by tenant. What is taken out of its study when that is filed under another
 * patient is looked up each time. Throws the same 404 for what does not exist and what the caller may not know of.
 */
export const createObjects = ({ scopes, sessions }: Pick<Context, 'scopes' | 'sessions'>) => {
  const studies = createMemory<{ study: StudyRef; version: number; askedAt: number }>(studiesRemembered);
  const series = createMemory<Map<string, StoredInstance>>(bytesRemembered, bytesOf);

  const findStudy = (session: Session, studyUid: string): Promise<StudyRef | undefined> =>
    scopes.inTenant(session, async ({ db }) => {
      const row = await db
        .selectFrom('studies')
        .select(['id', 'patient_id'])
        .where('study_instance_uid', '=', studyUid)
        .where('deleted_at', 'is', null)
        .where(mayKnowStudy(session, 'studies.id'))
        .executeTakeFirst();
      return row && { id: row.id, patientId: row.patient_id };
    });

  const study = async (session: Session, studyUid: string): Promise<StudyRef> => {
    const version = sessions.accessVersion();
    const key = `${session.tenantId} ${session.userId} ${session.userType} ${studyUid}`;
    const known = studies.recall(key);
    if (known && known.version === version && Date.now() - known.askedAt < longestTrust) return known.study;
    const askedAt = Date.now();
    const asked = found(await findStudy(session, studyUid), 'study');
    if (version !== undefined) studies.remember(key, { study: asked, version, askedAt });
    return asked;
  };

  const findSeries = (session: Session, studyId: string, seriesUid: string): Promise<Map<string, StoredInstance>> =>
    scopes.inTenant(session, async ({ db }) => {
      const rows = await db
        .selectFrom('instances')
        .innerJoin('series', 'series.id', 'instances.series_id')
        .select(['instances.id', 'sop_instance_uid', 'sop_class_uid', 'transfer_syntax_uid', 'sha256', 'size'])
        .select(['rows', 'columns', 'bits_allocated'])
        .select(['photometric_interpretation', 'number_of_frames', 'is_renderable', 'frame_index'])
        .where('series.series_instance_uid', '=', seriesUid)
        .where('series.study_id', '=', studyId)
        .execute();
      return new Map(rows.map((row) => [row.sop_instance_uid, storedInstance(row)]));
    });

  return {
    study,

    instance: async (
      session: Session,
      { id: studyId }: StudyRef,
      seriesUid: string,
      instanceUid: string,
    ): Promise<StoredInstance> => {
      const key = `${session.tenantId} ${studyId} ${seriesUid}`;
      const known = series.recall(key)?.get(instanceUid);
      if (known) return known;
      const instances = await findSeries(session, studyId, seriesUid);
      const instance = found(instances.get(instanceUid), 'instance');
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
});
