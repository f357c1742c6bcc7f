import { labelSentence, sentence } from '@radwork/contract/core/translate';
import { type StudyStatus, studyStatusLabels } from '@radwork/contract/imaging/study-status';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';

/** Notifies the users who take part in a study of its new status, except the user who set it. */
export const notifyOfStatus = async (scope: Scope, studyId: string, status: StudyStatus): Promise<void> => {
  const concerned = await scope.db
    .selectFrom('study_participants as sp')
    .innerJoin('users as u', 'u.id', 'sp.user_id')
    .select('sp.user_id')
    .distinct()
    .where('sp.study_id', '=', studyId)
    // Patients cannot see studies here, so they are not notified of the status.
    .where('u.user_type', '!=', 'PATIENT')
    .execute();
  await notify(scope, {
    to: concerned.map(({ user_id }) => user_id),
    type: 'STUDY_STATUS',
    title: sentence`One of your studies is now ${labelSentence(studyStatusLabels[status])}`,
    ...(await aboutStudy(scope, studyId)),
  });
};
