import type { OfferedText, OfferedTexts } from '@radwork/contract/knowledge/library';
import { modalitiesMatching } from '@radwork/contract/core/modalities';
import { areAlike, hasBodyPart, wordsIn } from '@radwork/contract/reading/template-match';
import type { ExamFacts } from '@radwork/contract/reading/templates';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { examOf } from '#reading/templates/study-facts.ts';

/** Number of suggested texts of each kind. A search finds the other texts. */
const mostOffered = 6;
/** Maximum number of texts that are compared. If more texts may fit, the newest are compared. */
const mostCandidates = 1000;

/** Returns the atlas entries and guidelines that fit a study, best match first. Throws 404 for the study. */
export const textsForStudy = async (scope: Scope, studyId: string): Promise<OfferedTexts> => {
  const exam = await examOf(scope, await studyById(scope, studyId));
  const offered = async (table: 'atlases' | 'guidelines') => rank(await candidates(scope, table, exam), exam);
  return { subject: subjectOf(exam), atlas: await offered('atlases'), guidelines: await offered('guidelines') };
};

/** Returns a subject such as "CT chest". Most descriptions contain the modality already. It is then not repeated. */
const subjectOf = ({ modality, bodyParts, description }: ExamFacts): string => {
  const bodyPart = bodyParts.map((part) => part.toLowerCase()).join(', ') || description;
  return wordsIn(bodyPart).includes(modality.toLowerCase()) ? bodyPart : [modality, bodyPart].filter(Boolean).join(' ');
};

const candidates = async ({ db }: Scope, table: 'atlases' | 'guidelines', exam: ExamFacts) => {
  const column = table === 'atlases' ? 'f.atlas_id' : 'f.guideline_id';
  const alike = [exam.modality, ...exam.modalities].flatMap((code) =>
    ['CR', 'DX', 'XR'].includes(code) ? modalitiesMatching('XR') : [code],
  );
  return db
    .selectFrom(table)
    .select(['id', 'title', 'author', 'modality', 'body_part as bodyPart'])
    .select(
      sql<number>`(select count(*)::int from stored_files f where ${sql.ref(column)} = ${sql.ref(`${table}.id`)})`.as(
        'files',
      ),
    )
    .where('modality', 'in', ['', ...alike])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(mostCandidates)
    .execute();
};

const rank = (texts: readonly OfferedText[], exam: ExamFacts): OfferedText[] =>
  texts
    .map((text) => ({ text, score: scoreOf(text, exam) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostOffered)
    .map(({ text }) => text);

/**
 * Returns how well a text fits. 0 for a text about something else. The body part counts most, then the modality, then
 * words that both title and study contain. A text without body part and modality is compared only by its words.
 */
const scoreOf = ({ title, modality, bodyPart }: OfferedText, exam: ExamFacts): number => {
  const isSameModality = [exam.modality, ...exam.modalities].some((code) => areAlike(code, modality));
  if (modality !== '' && !isSameModality) return 0;
  const isSamePart = bodyPart !== '' && hasBodyPart(exam, bodyPart.toUpperCase());
  if (bodyPart !== '' && !isSamePart) return 0;
  const examined = new Set(wordsIn([exam.description, ...exam.bodyParts].join(' ')));
  const common = new Set(wordsIn(title).filter((word) => examined.has(word))).size;
  return (isSamePart ? 20 : 0) + (modality === '' ? 0 : 10) + Math.min(common, 4) * 3;
};
