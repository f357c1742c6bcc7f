import { notFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { list as globalTemplates } from './global-templates.ts';
import { examOf } from './study-facts.ts';
import { rememberTemplate } from './template-choices.ts';

/**
 * Remembers the template that the caller chose for studies of this kind. Throws 404 for the study, and for a template
 * that is neither of the tenant nor global.
 */
export const chooseTemplate = async (scope: Scope, studyId: string, templateId: string): Promise<void> => {
  const study = await studyById(scope, studyId);
  const own = await scope.db.selectFrom('templates').select('id').where('id', '=', templateId).executeTakeFirst();
  const isKnown = own !== undefined || (await globalTemplates(scope)).some(({ id }) => id === templateId);
  if (!isKnown) throw notFound('template');
  await rememberTemplate(scope, await examOf(scope, study), templateId);
};
