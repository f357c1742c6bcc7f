import { t } from '@radwork/contract/core/translate';
import { unsettledStates } from '@radwork/contract/reading/critical-finding-states';
import type { Query } from '@radwork/contract/core/endpoint';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { DeletedStudy, EarlyPurge, StudyDetails } from '@radwork/contract/imaging/study-rows';
import { sql } from 'kysely';
import { purgedAt } from '#imaging/archive/upkeep/purge-time.ts';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { refuseReassignedNumber } from './accession-numbers.ts';
import { detailsOf } from './study-details.ts';
import { deletedStudyToChange, type StoredStudy, studyById, studyToChange, toStudyRow } from './study-rows.ts';

/**
 * Moves a study to the recycle bin. Its images and rows stay for the retention period of the tenant. After that, upkeep
 * purges them. Throws 409 with the reason if the study has a signed report, a legal hold or an unacknowledged critical
 * finding.
 */
export const remove = async (scope: Scope, sessions: Sessions, id: string): Promise<void> => {
  // Empties the cache of permissions at once, before the database announces the change.
  scope.afterCommit(() => sessions.forgetSight());
  const study = await studyToChange(scope, id);
  await refuseToLose(scope, study);
  await scope.db
    .updateTable('studies')
    .set({ deleted_at: sql`now()`, revision: study.revision + 1 })
    .where('id', '=', id)
    .execute();
  await auditStudy(scope, 'study.delete', study);
  await announce(scope, { kind: 'study', studyId: id });
};

/** Throws 409 with the reason when a study must be kept. */
export const refuseToLose = async (
  scope: Scope,
  { id, is_on_legal_hold }: Pick<StoredStudy, 'id' | 'is_on_legal_hold'>,
) => {
  if (is_on_legal_hold) {
    throw conflict('study.on_hold', t`This study is on legal hold and cannot be deleted. Archive it instead.`);
  }
  const finalized = await scope.db
    .selectFrom('reports')
    .select('id')
    .where('study_id', '=', id)
    .where('status', '=', 'FINALIZED')
    .executeTakeFirst();
  if (finalized) {
    throw conflict('study.has_report', t`This study has a finalized report and cannot be deleted. Archive it instead.`);
  }
  await refuseUnsettled(scope, id);
};

/**
 * Throws 409 for a study with open critical findings. If the study were in the recycle bin, no list would show these
 * findings and no timer would escalate them.
 */
const refuseUnsettled = async ({ db }: Scope, studyId: string) => {
  const findings = await db
    .selectFrom('critical_findings')
    .select('finding')
    .where('study_id', '=', studyId)
    .where('state', 'in', unsettledStates)
    .orderBy('due_at')
    .orderBy('id')
    .execute();
  const [first] = findings;
  if (!first) return;
  const finding = shortened(first.finding);
  const count = findings.length;
  throw conflict(
    'study.has_critical_finding',
    count === 1
      ? t`This study has an open critical finding: "${finding}". It must be acknowledged or withdrawn first.`
      : t`This study has ${count} open critical findings, such as "${finding}". They must be acknowledged or withdrawn first.`,
  );
};

/** Shortens the text of a finding. The beginning is enough to identify it. */
const shortened = (words: string): string => (words.length > 80 ? `${words.slice(0, 79).trimEnd()}…` : words);

/**
 * Restores a deleted study with all its data. Throws 404 when it is not in the recycle bin. Throws 409 when another
 * study now has the accession number. Also throws 409 for a stored report that was removed because it names another
 * patient.
 */
export const restore = async (scope: Scope, id: string): Promise<StudyDetails> => {
  const study = await deletedStudyToChange(scope, id);
  await refuseReassignedNumber(scope, study);
  await refuseTakenOut(scope, study);
  await scope.db
    .updateTable('studies')
    .set({ deleted_at: null, revision: study.revision + 1, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  await scope.db.deleteFrom('early_purges').where('study_id', '=', id).execute();
  await scope.db.deleteFrom('refused_arrivals').where('study_id', '=', id).execute();
  await auditStudy(scope, 'study.restore', study);
  await announce(scope, { kind: 'study', studyId: id });
  return detailsOf(scope, await studyById(scope, id));
};

/**
 * Throws 409 for a stored report that was removed because it named another patient. If it were restored, it would look
 * valid again.
 */
export const refuseTakenOut = async ({ db }: Scope, { id }: StoredStudy) => {
  const object = await db
    .selectFrom('report_objects')
    .select('report_id')
    .where('bin_study_id', '=', id)
    .executeTakeFirst();
  if (!object) return;
  const why = t`This stored report names the previous patient. Its study has a newer report, so it cannot be restored.`;
  throw conflict('study.taken_out', why);
};

/** Returns the studies that can be restored, last deleted first. The audit log contains who deleted each study. */
export const deleted = async (scope: Scope, query: Query<typeof endpoints.deleted>): Promise<Page<DeletedStudy>> => {
  const { total } = await deletedStudies(scope)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await deletedStudies(scope)
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .leftJoin('early_purges as e', 'e.study_id', 's.id')
    .leftJoin('refused_arrivals as a', 'a.study_id', 's.id')
    .selectAll('s')
    .select(['p.gender', 'p.date_of_birth'])
    .select(['e.kind', 'e.reason', 'e.requested_by', 'e.requested_by_name', 'e.requested_at'])
    .select(['a.files as refused_files', 'a.last_at as refused_at'])
    .select([purgedAt.as('purge_date'), deletedBy.as('deleted_by')])
    .orderBy('s.deleted_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(query.size)
    .offset(query.page * query.size)
    .execute();
  const content = rows.map((row) => ({
    ...toStudyRow(row),
    deletedDate: row.deleted_at ?? '',
    purgeDate: row.purge_date,
    deletedBy: row.deleted_by ?? '',
    earlyPurge: earlyPurgeOf(scope, row),
    refusedFiles: row.refused_files ?? 0,
    refusedDate: row.refused_at ?? '',
  }));
  return pageOf(content, total, query);
};

type DecisionRow = {
  kind: EarlyPurge['kind'] | null;
  reason: string | null;
  requested_by: string | null;
  requested_by_name: string | null;
  requested_at: string | null;
};

const earlyPurgeOf = ({ session }: Scope, row: DecisionRow): EarlyPurge | null =>
  row.kind && {
    kind: row.kind,
    reason: row.reason ?? '',
    requestedBy: row.requested_by_name ?? '',
    requestedDate: row.requested_at ?? '',
    isOwn: row.requested_by === session.userId,
  };

const deletedStudies = ({ db, session }: Scope) =>
  db.selectFrom('studies as s').where('s.deleted_at', 'is not', null).where(mayKnowStudy(session, 's.id'));

const deletedBy = sql<string | null>`(
  select username from audit_entries e where e.study_id = s.id and e.action = 'study.delete'
  order by e.created_at desc limit 1)`;
