import { sentence } from '@radwork/contract/core/translate';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredReport } from '#reading/report-records/stored-report.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import { participantsOf } from '#reading/report-records/announce-report.ts';
import type { StoredFinding } from './finding-rows.ts';

/** Notifications about findings. They contain neither the text of the finding nor the name of the patient. */

/** Returns the page that shows a finding with its history. On this page, a recipient can acknowledge the finding. */
export const linkTo = (findingId: string): string => `/critical-findings?findingId=${findingId}`;

const aboutFinding = (findingId: string) => ({ findingId, link: linkTo(findingId) });

type ConcernedReport = Pick<StoredReport, 'study_id' | 'author_id' | 'reviewer_id'>;

/**
 * Notifies the care team and the readers of a critical finding at once, even if the report is not signed. Without a
 * finding id, the notification links to the study, and no messages leave the application.
 */
export const notifyOfCriticalFinding = async (
  scope: Scope,
  report: ConcernedReport,
  findingId?: string,
): Promise<void> => {
  const concerned = await participantsOf(scope, report.study_id);
  const readers = [report.author_id, report.reviewer_id ?? []].flat();
  const to = [...concerned, ...readers];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    isForAll: true,
    title: sentence`Critical finding in one of your studies`,
    ...(await aboutStudy(scope, report.study_id)),
    ...(findingId !== undefined && { link: linkTo(findingId) }),
  });
  // Without an id, the finding was recorded earlier, and its messages were sent then.
  if (findingId !== undefined) await reachOut(scope, { topic: 'CRITICAL_FOUND', to, ...aboutFinding(findingId) });
};

/** Asks a recipient to acknowledge a finding. */
export const notifyRecipient = async (scope: Scope, finding: StoredFinding, recipientId: string): Promise<void> => {
  await notify(scope, {
    to: [recipientId],
    type: 'CRITICAL_FINDING',
    isForAll: true,
    title: sentence`A critical finding was communicated to you. Acknowledge it.`,
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
 * Returns all users involved in a finding: its finder, the author, reviewer and signer of the report, and the
 * participants of the study. Also returns the users who communicated or acknowledged the finding, and its recipients,
 * even those who were not reached.
 */
const peopleWith = async (scope: Scope, finding: DealtWith): Promise<string[]> => {
  const { id, study_id: studyId, report_id, identified_by, acknowledged_by } = finding;
  const report = await scope.db
    .selectFrom('reports')
    .select(['author_id', 'reviewer_id', 'finalized_by'])
    .where('id', '=', report_id)
    .executeTakeFirstOrThrow();
  const communications = await scope.db
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
    ...communications.flatMap(({ recipient_id, told_by }) => [recipient_id, told_by]),
    ...(await participantsOf(scope, studyId)),
  ];
  return people.filter((person) => person !== null);
};

/**
 * Notifies involved and on-call users that the study of the finding is now filed under another patient. Also notifies
 * the user who moved the study, because that user may not expect the restart.
 */
export const notifyOfRestart = async (scope: Scope, finding: DealtWith, onCall: readonly string[]): Promise<void> => {
  const to = [...(await peopleWith(scope, finding)), ...onCall];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    isForAll: true,
    title: sentence`A study with a critical finding was moved to another patient. Communicate the finding again.`,
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
    isForActorToo: true,
  });
  await reachOut(scope, { topic: 'CRITICAL_FOUND', to, isForActorToo: true, ...aboutFinding(finding.id) });
};

/**
 * Notifies all users who may act on a finding that it was withdrawn, so that they do not act on an earlier
 * notification.
 */
export const notifyOfWithdrawal = async (
  scope: Scope,
  finding: DealtWith,
  onLadder: readonly string[],
): Promise<void> => {
  const to = [...(await peopleWith(scope, finding)), ...onLadder];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    isForAll: true,
    title: sentence`A critical finding that was communicated to you was withdrawn. Read the reason.`,
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
  });
  await reachOut(scope, { topic: 'CRITICAL_WITHDRAWN', to, ...aboutFinding(finding.id) });
};
