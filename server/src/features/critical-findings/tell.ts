import { aboutStudy, notify } from '#core/notify.ts';
import type { Scope } from '#core/scope.ts';
import type { StoredReport } from '#features/reports/stored-report.ts';
import { reachOut } from '#features/outreach/queue-messages.ts';
import { participantsOf } from '#features/reports/tell.ts';
import type { StoredFinding } from './finding-rows.ts';

/** Who is told what of a finding. No notice repeats a word of it, nor says whose it is. */

/** Where a finding is shown with all that was done about it, and confirmed. */
export const linkTo = (findingId: string): string => `/critical-findings?findingId=${findingId}`;

const aboutFinding = (findingId: string) => ({ findingId, link: linkTo(findingId) });

type Concerned = Pick<StoredReport, 'study_id' | 'author_id' | 'reviewer_id'>;

/**
 * Tells those who treat the patient and those who read the study that something was found that cannot wait: at once,
 * whether the report is signed or not. Of what a report only says in its text, the study tells more.
 */
export const tellOfCriticalFinding = async (scope: Scope, report: Concerned, findingId?: string): Promise<void> => {
  const concerned = await participantsOf(scope, report.study_id);
  const readers = [report.author_id, report.reviewer_id ?? []].flat();
  const to = [...concerned, ...readers];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    title: 'Critical finding in a study that concerns you',
    ...(await aboutStudy(scope, report.study_id)),
    ...(findingId !== undefined && { link: linkTo(findingId) }),
  });
  // A finding that was recorded before had its message then.
  if (findingId !== undefined) await reachOut(scope, { topic: 'CRITICAL_FOUND', to, ...aboutFinding(findingId) });
};

/** Asks somebody who was told of a finding to confirm it. */
export const tellRecipient = async (scope: Scope, finding: StoredFinding, recipientId: string): Promise<void> => {
  await notify(scope, {
    to: [recipientId],
    type: 'CRITICAL_FINDING',
    title: 'You were told of a critical finding: please acknowledge it',
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
 * Everybody who has dealt with a finding: who found it, wrote, reviewed and signed the report, who was told or could not be
 * reached, who confirmed, who treats the patient and reads the study.
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
 * Tells all who have dealt with a finding, and who is on call, that its study is of another patient by now. If that is
 * whoever files the study, they hear of it too: it is not what they set out to do.
 */
export const tellOfRestart = async (scope: Scope, finding: DealtWith, onCall: readonly string[]): Promise<void> => {
  const to = [...(await peopleWith(scope, finding)), ...onCall];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    title: 'A study with a critical finding was filed under another patient: they must be told anew',
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
    isForActorToo: true,
  });
  await reachOut(scope, { topic: 'CRITICAL_FOUND', to, isForActorToo: true, ...aboutFinding(finding.id) });
};

/** Tells all who may act on a finding that it was withdrawn: each notice of it is one that must not stand alone. */
export const tellOfWithdrawal = async (
  scope: Scope,
  finding: DealtWith,
  onLadder: readonly string[],
): Promise<void> => {
  const to = [...(await peopleWith(scope, finding)), ...onLadder];
  await notify(scope, {
    to,
    type: 'CRITICAL_FINDING',
    title: 'A critical finding that you were told of was withdrawn: read why',
    ...(await aboutStudy(scope, finding.study_id)),
    link: linkTo(finding.id),
  });
  await reachOut(scope, { topic: 'CRITICAL_WITHDRAWN', to, ...aboutFinding(finding.id) });
};
