import { labelSentence, pluralSentence, sentence } from '@radwork/contract/core/translate';
import { type StudyStatus, studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { sql } from 'kysely';
import { anyOf } from '#core/values/any-of.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';

/** Notifies the users who take part in a study of its new status, except the user who set it. */
export const notifyOfStatus = async (scope: Scope, studyId: string, status: StudyStatus): Promise<void> => {
  await notify(scope, {
    to: (await concernedBy(scope, [studyId])).map(({ user_id }) => user_id),
    type: 'STUDY_STATUS',
    title: sentence`One of your studies is now ${labelSentence(studyStatusLabels[status])}`,
    ...(await aboutStudy(scope, studyId)),
  });
};

/** Like `notifyOfStatus`, with one notification to each user for all of these studies. */
export const notifyOfStatuses = async (
  scope: Scope,
  studyIds: readonly string[],
  status: StudyStatus,
): Promise<void> => {
  const [studyId, ...others] = studyIds;
  if (studyId === undefined) return;
  if (others.length === 0) return notifyOfStatus(scope, studyId, status);
  const byCount = Map.groupBy(await concernedBy(scope, studyIds), ({ studies }) => studies);
  for (const [count, users] of byCount) {
    await notify(scope, {
      to: users.map(({ user_id }) => user_id),
      type: 'STUDY_STATUS',
      title: pluralSentence(count, {
        one: '# of your studies has a new status',
        other: '# of your studies have a new status',
      }),
      message: labelSentence(studyStatusLabels[status]),
      link: '/studies',
    });
  }
};

/** Returns the users who take part in these studies, each with the number of these studies. */
const concernedBy = ({ db }: Scope, studyIds: readonly string[]) =>
  db
    .selectFrom('study_participants as sp')
    .innerJoin('users as u', 'u.id', 'sp.user_id')
    .select(['sp.user_id', sql<number>`count(distinct sp.study_id)::int`.as('studies')])
    .where('sp.study_id', '=', anyOf(studyIds))
    // Patients cannot see studies here, so they are not notified of the status.
    .where('u.user_type', '!=', 'PATIENT')
    .groupBy('sp.user_id')
    .execute();
