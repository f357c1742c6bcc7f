import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { canMove } from '@radwork/contract/core/moves';
import type { FollowUp, followUps as endpoints } from '@radwork/contract/reading/follow-ups';
import { followUpMoves, followUpStateLabels } from '@radwork/contract/reading/follow-up-states';
import { sql, type UpdateObject } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Schema } from '#core/database/database.ts';
import { conflict, forbidden, invalid, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { reportById } from '#reading/report-records/stored-report.ts';
import {
  followUpById,
  followUpToChange,
  isWaiting,
  mayChange,
  remindAfter,
  type StoredFollowUp,
  storeEvent,
  toFollowUp,
} from './follow-up-rows.ts';
import { possibleOwners } from './service.ts';
import { defaultOwner } from './settings.ts';

/** Changes of users to rows of the register. Each function returns the row as it is then. */

/** Adds a row to a report that the caller may read. In a draft, the row waits for the signature. */
export const add = async (scope: Scope, reportId: string, form: Body<typeof endpoints.add>): Promise<FollowUp> => {
  const report = await reportById(scope, reportId);
  if (scope.session.homeTenantId !== undefined) throw forbidden();
  const ownerId = form.ownerId ?? (await defaultOwner(scope, report));
  await refuseOwner(scope, report.study_id, ownerId, form.ownerId !== undefined);
  const id = newId();
  await scope.db
    .insertInto('follow_ups')
    .values({
      id,
      report_id: reportId,
      ...columnsOf(form),
      quote: form.quote,
      owner_id: ownerId,
      state: 'OPEN',
      compared_until: sql`'-infinity'`,
      remind_at: remindAfter(form.dueTo),
    })
    .execute();
  await storeEvent(scope, { followUpId: id, event: 'ADDED', state: 'OPEN' });
  return changed(scope, await followUpById(scope, id), 'follow_up.add');
};

const columnsOf = ({
  modality,
  bodyPart,
  dueFrom,
  dueTo,
}: Pick<FollowUp, 'modality' | 'bodyPart' | 'dueFrom' | 'dueTo'>) => ({
  modality,
  body_part: bodyPart,
  due_from: dueFrom,
  due_to: dueTo,
});

const refuseOwner = async (scope: Scope, studyId: string, ownerId: string, isChosen: boolean): Promise<void> => {
  if (!isChosen) return;
  const owner = await possibleOwners(scope, studyId).where('u.id', '=', ownerId).executeTakeFirst();
  if (!owner) throw invalid({ ownerId: t`Choose an active user who may see the study` });
};

/** Changes the examination, its days or its owner. */
export const edit = async (scope: Scope, id: string, form: Body<typeof endpoints.edit>): Promise<FollowUp> => {
  const row = await rowToChange(scope, id);
  await refuseOwner(scope, row.study_id, form.ownerId, form.ownerId !== row.owner_id);
  await update(scope, row, form.revision, {
    ...columnsOf(form),
    owner_id: form.ownerId,
    compared_until: sql`'-infinity'`,
    ...(isWaiting(row.state) && { remind_at: remindAfter(form.dueTo) }),
  });
  await storeEvent(scope, { followUpId: id, event: 'EDITED', state: row.state });
  return changed(scope, await followUpById(scope, id), 'follow_up.edit');
};

/**
 * Moves a row to another state. If the row opens again, the study that had closed it is never matched with it again.
 * Throws 409 for a state that cannot follow, and 422 for a study of another patient.
 */
export const decide = async (
  scope: Scope,
  id: string,
  { state, reason, studyId, revision }: Body<typeof endpoints.decide>,
): Promise<FollowUp> => {
  const row = await rowToChange(scope, id);
  if (!canMove(followUpMoves, row.state, state)) {
    throw conflict('follow_up.state', t`The follow-up is already: ${followUpStateLabels[row.state]}`);
  }
  if (studyId !== undefined) await refuseOtherPatient(scope, row, studyId);
  if (state === 'OPEN' && row.matched_study_id !== null) await keepAway(scope, id, row.matched_study_id);
  await update(scope, row, revision, {
    state,
    reason,
    matched_study_id: studyId ?? null,
    is_matched_by_server: false,
    remind_at: isWaiting(state) ? remindAfter(row.due_to) : null,
    compared_until: sql`'-infinity'`,
  });
  const event = row.state === 'OFFERED' && state === 'OPEN' ? 'ACCEPTED' : 'STATE';
  await storeEvent(scope, { followUpId: id, event, state, reason });
  return changed(scope, await followUpById(scope, id), 'follow_up.decide', { from: row.state, to: state });
};

const refuseOtherPatient = async (scope: Scope, row: StoredFollowUp, studyId: string): Promise<void> => {
  const study = await studyById(scope, studyId);
  if (study.patient_id !== row.patient_id) throw invalid({ studyId: t`The study belongs to another patient` });
};

/**
 * Records that a study is not the examination of a row. The server then never matches the two again. If the groups of
 * the caller hide the study, the caller cannot write a row about it. The follow-up itself then stores its ID.
 */
const keepAway = async ({ db }: Scope, followUpId: string, studyId: string): Promise<void> => {
  const { numAffectedRows } = await sql`
    insert into follow_up_candidates (follow_up_id, study_id, dismissed_at)
    select ${followUpId}, id, now() from studies where id = ${studyId}
    on conflict (tenant_id, follow_up_id, study_id) do update set dismissed_at = now()`.execute(db);
  if (numAffectedRows !== 0n) return;
  await sql`
    update follow_ups set kept_from = array_append(array_remove(kept_from, ${studyId}::uuid), ${studyId}::uuid)
    where id = ${followUpId}`.execute(db);
};

/** States that a study is another examination. Throws 404 if the study was not offered for the row. */
export const dismissMatch = async (scope: Scope, id: string, studyId: string): Promise<FollowUp> => {
  const row = await rowToChange(scope, id);
  await studyById(scope, studyId);
  const offered = await scope.db
    .selectFrom('follow_up_candidates')
    .select('study_id')
    .where('follow_up_id', '=', id)
    .where('study_id', '=', studyId)
    .executeTakeFirst();
  orNotFound(offered, 'study');
  await keepAway(scope, id, studyId);
  await storeEvent(scope, { followUpId: id, event: 'MATCH_DISMISSED', state: row.state });
  return changed(scope, await followUpById(scope, id), 'follow_up.dismissMatch');
};

/** States that a row was checked after its report was corrected or its study moved. */
export const review = async (scope: Scope, id: string, revision: number): Promise<FollowUp> => {
  const row = await rowToChange(scope, id);
  await update(scope, row, revision, { review_cause: null });
  await storeEvent(scope, { followUpId: id, event: 'REVIEWED', state: row.state });
  return changed(scope, await followUpById(scope, id), 'follow_up.review');
};

/** Locks a row. Throws 403 when the caller may not change it. */
const rowToChange = async (scope: Scope, id: string): Promise<StoredFollowUp> => {
  const row = await followUpToChange(scope, id);
  if (!mayChange(scope.session, row)) {
    throw forbidden(t`Only the owner and users who edit reports can change a follow-up`);
  }
  return row;
};

const update = async (
  { db }: Scope,
  { id }: StoredFollowUp,
  revision: number,
  set: UpdateObject<Schema, 'follow_ups'>,
): Promise<void> => {
  const updated = await db
    .updateTable('follow_ups')
    .set({ ...set, revision: revision + 1, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) {
    throw conflict('follow_up.changed', t`The follow-up was changed meanwhile. Nothing was saved. Reload it.`);
  }
};

const changed = async (
  scope: Scope,
  row: StoredFollowUp,
  action: string,
  detail?: Record<string, string>,
): Promise<FollowUp> => {
  await noteChange(scope, row, action, detail);
  return toFollowUp(row, scope.session);
};

type Changed = { id: string; study_id: string; patient_id: string };

/** Audits a change of a row, and tells the browsers. */
export const noteChange = async (
  scope: Scope,
  { id, study_id: studyId, patient_id: patientId }: Changed,
  action: string,
  detail: Record<string, string> = {},
): Promise<void> => {
  await audit(scope, action, { entity: 'follow_up', entityId: id, studyId, patientId, detail });
  await announce(scope, { kind: 'study', studyId });
};
