import { t } from '@radwork/contract/core/translate';
import { membersOnly } from '@radwork/contract/core/access';
import { criticalStateLabels } from '@radwork/contract/reading/critical-finding-states';
import type { CriticalState } from '@radwork/contract/imaging/study-marks';
import { displayName } from '@radwork/dicom/person-name';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { conflict, forbidden } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { findingToChange, managesFindings, type StoredFinding } from './finding-rows.ts';

export const findingToManage = async (scope: Scope, id: string): Promise<StoredFinding> => {
  const finding = await findingToChange(scope, id);
  if (!managesFindings(scope.session)) throw forbidden(membersOnly());
  if (finding.state === 'WITHDRAWN') throw stateConflict('WITHDRAWN');
  return finding;
};

export const stateConflict = (state: CriticalState) =>
  conflict('critical_finding.state', t`The finding is already ${criticalStateLabels[state]}`);

export const noteChange = async (
  scope: Scope,
  finding: StoredFinding,
  verb: string,
  details: string,
  detail: Record<string, string> = {},
): Promise<void> => {
  const { id, study_id: studyId, patient_id: patientId, severity } = finding;
  await recordTask(scope, { studyId, type: 'CRITICAL_FINDING', displayValue: severity, details });
  await audit(scope, `critical_finding.${verb}`, {
    entity: 'critical_finding',
    entityId: id,
    studyId,
    patientId,
    detail,
  });
  await announce(scope, { kind: 'study', studyId });
};

/**
 * Throws 409 when the clock of the finding was restarted after the caller saw it. The study was then moved, so the
 * screen still showed another patient.
 */
export const refuseRestarted = async (
  { db }: Scope,
  { id, patient_name, patient_identifier }: StoredFinding,
  seenRestarts: number | undefined,
  advice: string,
) => {
  if (seenRestarts === undefined) return;
  const { restarts } = await db
    .selectFrom('critical_restarts')
    .select(({ fn }) => fn.countAll<number>().as('restarts'))
    .where('finding_id', '=', id)
    .executeTakeFirstOrThrow();
  if (restarts === seenRestarts) return;
  const whose = displayName(patient_name) || patient_identifier;
  throw conflict(
    'critical_finding.refiled',
    t`The study was moved to another patient. The finding now belongs to ${whose}. ${advice}`,
  );
};
