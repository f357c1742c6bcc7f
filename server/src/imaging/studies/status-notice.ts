import { labelSentence, pluralSentence, sentence } from '@radwork/contract/core/translate';
import { type StudyStatus, studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { sql } from 'kysely';
import { anyOf } from '#core/values/any-of.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import { userMayKnowStudySql } from '#core/access/study-access.ts';

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

/**
 * Returns the users who take part in these studies and may know of them, each with the number of these studies. Patients
 * cannot see studies here, so they are not notified of the status.
 */
const concernedBy = ({ db }: Scope, studyIds: readonly string[]) =>
  db
    .selectFrom('study_participants as part')
    .innerJoin('users as u', 'u.id', 'part.user_id')
    .select(['part.user_id', sql<number>`count(distinct part.study_id)::int`.as('studies')])
    .where('part.study_id', '=', anyOf(studyIds))
    .where(userMayKnowStudySql(sql.ref('part.study_id')))
    .groupBy('part.user_id')
    .execute();
