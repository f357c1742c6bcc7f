import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredReport } from '#reading/report-records/stored-report.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import { participantsOf } from '#reading/report-records/announce-report.ts';
import type { StoredFinding } from './finding-rows.ts';

/** Notifications of findings. None contains the finding's text or the patient's name. */

/** Returns the page that shows a finding with its record and lets a recipient acknowledge it. */
export const linkTo = (findingId: string): string => `/critical-findings?findingId=${findingId}`;

const aboutFinding = (findingId: string) => ({ findingId, link: linkTo(findingId) });

type Concerned = Pick<StoredReport, 'study_id' | 'author_id' | 'reviewer_id'>;

/**
 * Notifies the care team and the readers of a critical finding at once, whether or not the report is signed. Without a
 * finding id, the notification links to the study.
 */
export const notifyOfCriticalFinding = async (scope: Scope, report: Concerned, findingId?: string): Promise<void> => {
  const concerned = await participantsOf(scope, report.study_id);
  const readers = [report.author_id, report.reviewer_id ?? []].flat();
  const to = [...concerned, ...readers];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    title: 'Critical finding in one of your studies',
    ...(await aboutStudy(scope, report.study_id)),
    ...(findingId !== undefined && { link: linkTo(findingId) }),
  });
  // An earlier recorded finding already sent its messages.
  if (findingId !== undefined) await reachOut(scope, { topic: 'CRITICAL_FOUND', to, ...aboutFinding(findingId) });
};

/** Asks a recipient to acknowledge a finding. */
export const notifyRecipient = async (scope: Scope, finding: StoredFinding, recipientId: string): Promise<void> => {
  await notify(scope, {
    to: [recipientId],
    type: 'CRITICAL_FINDING',
    title: 'A critical finding was communicated to you. Acknowledge it.',
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
  });
  await reachOut(scope, { topic: 'CRITICAL_TOLD', to: [recipientId], ...aboutFinding(finding.id) });
};

type DealtWith = Pick<StoredFinding, 'id' | 'study_id' | 'report_id'> & {
  identified_by: string;
  acknowledged_by: string | null;
};

/**
 * Returns all users involved in a finding. These are its finder, the report's author, reviewer and signer, and the
 * study's participants. Also users who communicated or acknowledged it, and its recipients, even those not reached.
 */
const peopleWith = async (scope: Scope, finding: DealtWith): Promise<string[]> => {
  const { id, study_id: studyId, report_id, identified_by, acknowledged_by } = finding;
  const report = await scope.db
    .selectFrom('reports')
    .select(['author_id', 'reviewer_id', 'finalized_by'])
    .where('id', '=', report_id)
    .executeTakeFirstOrThrow();
  const told = await scope.db
    .selectFrom('critical_communications')
    .select(['recipient_id', 'told_by'])
    .where('finding_id', '=', id)
    .execute();
  const people = [
    identified_by,
    acknowledged_by,
    report.author_id,
    report.reviewer_id,
    report.finalized_by,
    ...told.flatMap(({ recipient_id, told_by }) => [recipient_id, told_by]),
    ...(await participantsOf(scope, studyId)),
  ];
  return people.filter((person) => person !== null);
};

/**
 * Notifies the involved and on-call users that the finding's study is now filed under another patient. Includes the
 * user who moved the study, since the restart is a side effect.
 */
export const notifyOfRestart = async (scope: Scope, finding: DealtWith, onCall: readonly string[]): Promise<void> => {
  const to = [...(await peopleWith(scope, finding)), ...onCall];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    title: 'A study with a critical finding was moved to another patient. Communicate the finding again.',
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
    isForActorToo: true,
  });
  await reachOut(scope, { topic: 'CRITICAL_FOUND', to, isForActorToo: true, ...aboutFinding(finding.id) });
};

/** Notifies all users who may act on a finding of its withdrawal, so that none acts on an earlier notification. */
export const notifyOfWithdrawal = async (
  scope: Scope,
  finding: DealtWith,
  onLadder: readonly string[],
): Promise<void> => {
  const to = [...(await peopleWith(scope, finding)), ...onLadder];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    title: 'A critical finding that was communicated to you was withdrawn. Read the reason.',
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
  });
  await reachOut(scope, { topic: 'CRITICAL_WITHDRAWN', to, ...aboutFinding(finding.id) });
};
