import type { ExamFacts } from '@radwork/contract/reading/templates';
import { examKind } from '@radwork/contract/reading/template-match';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** Returns the template that the caller chose last for this kind of examination. */
export const chosenTemplate = async ({ db, session }: Scope, exam: ExamFacts): Promise<string | null> => {
  const choice = await db
    .selectFrom('template_choices')
    .select('template_id')
    .where('user_id', '=', session.userId)
    .where('exam_kind', '=', examKind(exam))
    .executeTakeFirst();
  return choice?.template_id ?? null;
};

/** Remembers the template for the next examination of this kind. */
export const rememberTemplate = async ({ db, session }: Scope, exam: ExamFacts, templateId: string): Promise<void> => {
  const kind = examKind(exam);
  // Without a modality or a description there is no kind to remember.
  if (kind === '') return;
  await db
    .insertInto('template_choices')
    .values({ user_id: session.userId, exam_kind: kind, template_id: templateId })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant_id', 'user_id', 'exam_kind'])
        .doUpdateSet({ template_id: templateId, chosen_at: sql`now()` }),
    )
    .execute();
};
