import { t } from '@radwork/contract/core/translate';
import { createHash } from 'node:crypto';
import type { drafting, PassageKind } from '@radwork/contract/reading/drafting';
import { openPassagesFault, openPassagesIn } from '@radwork/contract/reading/drafting';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { AiProvider } from '@radwork/contract/reading/reporting-settings';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { isId, newId } from '#core/values/ids.ts';
import { orNotFound, invalid, notFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';

export const hashOfText = (text: string): Buffer => createHash('sha256').update(text).digest();

export type NewPassage = {
  studyId: string;
  kind: PassageKind;
  provider: AiProvider;
  model: string;
  /** SHA-256 of everything that was sent to the provider. */
  promptHash: Buffer;
  text: string;
};

/** Records where a passage comes from and returns its id. Only the report stores the text. */
export const recordPassage = async ({ db, session }: Scope, passage: NewPassage): Promise<string> => {
  const id = newId();
  await db
    .insertInto('ai_passages')
    .values({
      id,
      study_id: passage.studyId,
      kind: passage.kind,
      provider: passage.provider,
      model: passage.model,
      prompt_hash: passage.promptHash,
      text_hash: hashOfText(passage.text),
      created_by: session.userId,
    })
    .execute();
  return id;
};

/** Lists the passages drafted for a study, oldest first. */
export const passagesOf = async (scope: Scope, studyId: string): Promise<Reply<typeof drafting.passages>> => {
  await studyById(scope, studyId);
  return scope.db
    .selectFrom('ai_passages')
    .select(['id', 'kind', 'provider', 'model', 'decision', 'created_at as createdAt'])
    .where('study_id', '=', studyId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
};

/** Records that a user accepted or rejected a passage. A later decision replaces the earlier decision. */
export const decide = async (
  scope: Scope,
  { studyId, id }: { studyId: string; id: string },
  { decision }: Body<typeof drafting.decide>,
): Promise<Reply<typeof drafting.decide>> => {
  const study = await studyById(scope, studyId);
  if (!isId(id)) throw notFound('passage');
  const decided = await scope.db
    .updateTable('ai_passages')
    .set({ decision, decided_by: scope.session.userId, decided_at: sql`now()` })
    .where('id', '=', id)
    .where('study_id', '=', studyId)
    .returning(['id', 'decision', 'report_id', 'provider'])
    .executeTakeFirst();
  const passage = orNotFound(decided, 'passage');
  await audit(scope, decision === 'ACCEPTED' ? 'ai_passage.accept' : 'ai_passage.reject', {
    entity: 'ai_passage',
    entityId: id,
    studyId,
    patientId: study.patient_id,
    detail: { provider: passage.provider },
  });
  return { id: passage.id, decision: passage.decision };
};

/**
 * Throws 422 if the text of a report contains a passage that was drafted for another study, because it may be about
 * another patient. Records that this report contains the other passages.
 */
export const admitPassages = async (
  { db }: Scope,
  { studyId, reportId }: { studyId: string; reportId: string | null },
  content: string,
): Promise<void> => {
  const ids = openPassagesIn(content);
  if (ids.length === 0) return;
  const known = await db
    .selectFrom('ai_passages')
    .select('id')
    .where('id', 'in', ids)
    .where('study_id', '=', studyId)
    .execute();
  if (known.length < ids.length) {
    throw invalid({
      content: t`The text has an AI passage that was drafted for another study. Reject it and draft it again here.`,
    });
  }
  if (reportId === null) return;
  await db
    .updateTable('ai_passages')
    .set({ report_id: reportId })
    .where('id', 'in', ids)
    .where('report_id', 'is', null)
    .execute();
};

/** Throws 422 while a text contains passages about which no user has decided. Such a text cannot be signed. */
export const refuseOpenPassages = (content: string): void => {
  const fault = openPassagesFault(content);
  if (fault) throw invalid({ content: fault });
};
