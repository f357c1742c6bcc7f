import { isDeepStrictEqual } from 'node:util';
import { defaultGradeLabels, type PeerReviewSettings } from '@radwork/contract/reading/peer-reviews';
import { audit } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';

/** Returns the settings of the tenant. Without own wording, the grades are in the language of the caller. */
export const readSettings = async ({ db }: Scope): Promise<PeerReviewSettings> => {
  const row = await db.selectFrom('peer_review_settings').selectAll().executeTakeFirst();
  return {
    percent: row?.percent ?? 0,
    hidesAuthor: row?.hides_author ?? true,
    hidesReviewer: row?.hides_reviewer ?? true,
    grades: row?.grades ?? defaultGradeLabels(),
  };
};

export const saveSettings = async (scope: Scope, form: PeerReviewSettings): Promise<PeerReviewSettings> => {
  const columns = {
    percent: form.percent,
    hides_author: form.hidesAuthor,
    hides_reviewer: form.hidesReviewer,
    grades: isDeepStrictEqual(form.grades, defaultGradeLabels()) ? null : form.grades,
  };
  await scope.db
    .insertInto('peer_review_settings')
    .values(columns)
    .onConflict((known) => known.column('tenant_id').doUpdateSet(columns))
    .execute();
  const { percent, hidesAuthor, hidesReviewer } = form;
  await audit(scope, 'peer_review_settings.save', {
    entity: 'peer_review_settings',
    detail: { percent, hidesAuthor, hidesReviewer },
  });
  return readSettings(scope);
};
