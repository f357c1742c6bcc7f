import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { EarlyPurge } from '@radwork/contract/imaging/study-rows';
import { purgeEarly } from '#imaging/archive/upkeep/purge-early.ts';
import { removeUnused } from '#imaging/archive/upkeep/remove-unused.ts';
import { announce } from '#core/live/announce.ts';
import { auditStudy } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { conflict, Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseTakenOut, refuseToLose } from './recycle-bin.ts';
import { deletedStudyToChange, type StoredStudy } from './study-rows.ts';

type Decision = Body<typeof endpoints.requestPurge>;

/**
 * Lets corrected images into a deleted study (replace-deleted.ts). Throws 404 when it is not in the recycle bin, and 409
 * with the reason when it must be kept or another decision exists.
 */
export const allowReplacement = async (scope: Scope, id: string, { reason }: Decision): Promise<void> => {
  const study = await decide(scope, id, { kind: 'REPLACE', reason });
  await auditStudy(scope, 'study.allowReplacement', study, { reason });
};

/** Asks to purge a deleted study before its retention ends. Throws like `allowReplacement`. */
export const requestPurge = async (scope: Scope, id: string, { reason }: Decision): Promise<void> => {
  const study = await decide(scope, id, { kind: 'PURGE', reason });
  await auditStudy(scope, 'study.requestPurge', study, { reason });
};

const decide = async (
  scope: Scope,
  id: string,
  { kind, reason }: Pick<EarlyPurge, 'kind' | 'reason'>,
): Promise<StoredStudy> => {
  const { db, session } = scope;
  const study = await deletedStudyToChange(scope, id);
  await refuseToLose(scope, study);
  await refuseTakenOut(scope, study);
  if (await decisionOn(scope, id)) {
    throw conflict('study.purge_requested', t`A purge or replacement was already requested. Withdraw it first.`);
  }
  await db
    .insertInto('early_purges')
    .values({ study_id: id, kind, reason, requested_by: session.userId, requested_by_name: session.username })
    .execute();
  await announce(scope, { kind: 'study', studyId: id });
  return study;
};

const decisionOn = ({ db }: Scope, id: string) =>
  db.selectFrom('early_purges').selectAll().where('study_id', '=', id).executeTakeFirst();

/**
 * Purges a study whose purge another user requested. Throws 403 for the user who requested it. Throws 409 without a
 * request, or when the study must be kept.
 */
export const confirmPurge = async (context: Context, scope: Scope, id: string): Promise<void> => {
  const { db, session, afterCommit } = scope;
  const study = await deletedStudyToChange(scope, id);
  const decision = await decisionOn(scope, id);
  if (decision?.kind !== 'PURGE') {
    throw conflict('study.purge_not_requested', t`No user has asked to purge this study.`);
  }
  if (decision.requested_by === session.userId) {
    throw new Problem(403, 'study.second_user_needed', t`A second user must confirm this purge.`);
  }
  await refuseToLose(scope, study);
  await db.updateTable('early_purges').set({ confirmed_by: session.userId }).where('study_id', '=', id).execute();
  const purged = await purgeEarly(scope, study, 'study.purge', { requestedBy: decision.requested_by_name });
  if (!purged) throw conflict('study.kept', t`This study must be kept and was not purged.`);
  await announce(scope, { kind: 'study', studyId: id });
  // After an error, upkeep removes the bytes.
  afterCommit(() => void removeUnused(context, session.tenantId, purged).catch(() => {}));
};

/** Withdraws the decision about a deleted study. Throws 409 when there is none. */
export const withdrawPurge = async (scope: Scope, id: string): Promise<void> => {
  const study = await deletedStudyToChange(scope, id);
  const decision = await decisionOn(scope, id);
  if (!decision) throw conflict('study.purge_not_requested', t`This study has no request to purge or replace it.`);
  await scope.db.deleteFrom('early_purges').where('study_id', '=', id).execute();
  await auditStudy(scope, 'study.withdrawPurge', study, { kind: decision.kind });
  await announce(scope, { kind: 'study', studyId: id });
};
