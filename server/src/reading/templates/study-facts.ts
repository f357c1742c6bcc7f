import type { Gender } from '@radwork/contract/imaging/patients';
import type { MergeFieldName } from '@radwork/contract/reading/merge-fields';
import type { ExamFacts } from '@radwork/contract/reading/templates';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import { localMinute } from '#core/values/local-minute.ts';
import { localStudyTime, localTime } from '#core/values/local-time.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { isComparable } from '#imaging/identity-marks/identity-marks.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';
import { chosenTemplate } from './template-choices.ts';
import { measuredOf, techniqueOf } from './technique-facts.ts';

/** Value of each merge field. Null where it is unknown. */
type Values = Record<MergeFieldName, string | null>;

type Facts = { patientRecordId: string; values: Values; exam: ExamFacts; chosenTemplateId: string | null };

/** Returns the values of the merge fields, and the facts by which a template is selected. Audits the access. */
export const factsOfStudy = async (scope: Scope, studyId: string): Promise<Facts> => {
  const study = await studyById(scope, studyId);
  await auditStudy(scope, 'study.view', study, { part: 'template facts' });
  const exam = await examOf(scope, study);
  return {
    patientRecordId: study.patient_id,
    values: await valuesOf(scope, study, exam),
    exam,
    chosenTemplateId: await chosenTemplate(scope, exam),
  };
};

/** Returns the facts about the examination. */
export const examOf = async ({ db }: Scope, study: StoredStudy): Promise<ExamFacts> => {
  const series = await db
    .selectFrom('series')
    .select('body_part_examined')
    .distinct()
    .where('study_id', '=', study.id)
    .where('body_part_examined', '<>', '')
    .orderBy('body_part_examined')
    .execute();
  return {
    modality: study.modality,
    modalities: study.modalities,
    description: [descriptionOf(study), study.procedure_description].filter(Boolean).join(' '),
    bodyParts: series.map(({ body_part_examined }) => body_part_examined.toUpperCase()),
  };
};

type DescribedStudy = Pick<StoredStudy, 'description' | 'study_description'>;

const descriptionOf = ({ description, study_description }: DescribedStudy): string => description || study_description;

const orNull = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text);

/** Returns the time of day, or null when only the day is known. */
const timeOf = (at: string | null): string | null => orNull(at?.slice(11, 16) ?? null);

const sexes: Record<Gender, string | null> = { F: 'female', M: 'male', O: 'other', U: null };

const valuesOf = async (scope: Scope, study: StoredStudy, exam: ExamFacts): Promise<Values> => {
  const { session } = scope;
  const comparison = await comparisonOf(scope, study);
  const at = localStudyTime(study);
  return {
    'patient.name': orNull(displayName(study.patient_name)),
    'patient.id': orNull(study.patient_identifier),
    'patient.birthDate': study.date_of_birth,
    'patient.age': at && study.date_of_birth ? ageOn(study.date_of_birth, at) : null,
    'patient.sex': study.gender === null ? null : sexes[study.gender],
    'study.date': at?.slice(0, 10) ?? null,
    'study.time': timeOf(at),
    'study.description': orNull(descriptionOf(study)),
    'study.modality': orNull(study.modality),
    'study.bodyPart': orNull(exam.bodyParts.join(', ').toLowerCase()),
    'study.accessionNumber': orNull(study.accession_number),
    'study.clinicalHistory': orNull(study.clinical_history),
    'study.referringPhysician': orNull(displayName(study.referring_physician_name)),
    'order.number': orNull(study.order_number),
    'order.procedure': orNull(study.procedure_description),
    'order.physician': orNull(displayName(study.ordering_physician_name)),
    'comparison.date': localTime(comparison?.study_date ?? null)?.slice(0, 10) ?? null,
    'comparison.description': orNull(comparison ? descriptionOf(comparison) : null),
    ...(await techniqueOf(scope, study)),
    'measurements.list': await measuredOf(scope, study.id),
    'author.name': orNull(session.name),
    'report.date': localMinute(new Date().toISOString(), session.timeZone).slice(0, 10),
  };
};

/** Number of earlier studies in which a study of the same side is searched. */
const mostLookedAt = 50;

/**
 * Returns the latest earlier study for a comparison. It must have the same modality, and the same body part or
 * description. It must not be of the other side. A wrong comparison would be worse than none.
 */
const comparisonOf = async (scope: Scope, study: StoredStudy) => {
  const ours = sideNamed([study.description, study.study_description, study.procedure_description]);
  return (await comparableTo(scope, study)).find((earlier) => {
    const otherSide = sideNamed([earlier.description, earlier.study_description]);
    return !ours || !otherSide || ours === otherSide;
  });
};

const left = /(?<!\p{L})(?:left|lt|links?e?[rs]?|gauche|izquierd[ao]|sinistr[ao]|esquerd[ao])(?!\p{L})/iu;
const right = /(?<!\p{L})(?:right|rt|rechte?[rs]?|droite?|derech[ao]|destr[ao]|direit[ao])(?!\p{L})/iu;

/** Returns the side named in the descriptions. Undefined for both sides or none. */
const sideNamed = (descriptions: readonly string[]): 'left' | 'right' | undefined => {
  const text = descriptions.join(' ');
  if (left.test(text) === right.test(text)) return undefined;
  return left.test(text) ? 'left' : 'right';
};

const comparableTo = ({ db, session }: Scope, study: StoredStudy) =>
  db
    .selectFrom('studies as s')
    .select(['s.study_date', 's.description', 's.study_description'])
    .where('s.patient_id', '=', study.patient_id)
    .where('s.id', '<>', study.id)
    .where(isComparable(study.id))
    .where('s.deleted_at', 'is', null)
    .where('s.status', '<>', 'CANCELLED')
    .where('s.instance_count', '>', 0)
    .where('s.study_date', '<', study.study_date)
    // Leaves out dates that stand for a missing date. They are earlier than all real dates.
    .where('s.study_date', '>', '0002-01-01')
    .where(mayKnowStudy(session, 's.id'))
    .where(sql<boolean>`s.modalities && ${study.modalities}::text[]`)
    .where(sql<boolean>`(${sharesBodyPart(study.id)} or ${isCalledLike(study)})`)
    .orderBy('s.study_date', 'desc')
    .orderBy('s.id', 'desc')
    .limit(mostLookedAt)
    .execute();

const sharesBodyPart = (studyId: string) => sql`exists (
  select from series theirs join series ours on ours.body_part_examined = theirs.body_part_examined
  where theirs.study_id = s.id and ours.study_id = ${studyId} and ours.body_part_examined <> '')`;

const isCalledLike = ({ study_description: called }: StoredStudy) =>
  sql`(${called} <> '' and lower(s.study_description) = lower(${called}))`;

const inUnits = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;

/** Returns an age as text: days in the first month, months until the second birthday, then years. */
export const ageOn = (birthDate: string, moment: string): string | null => {
  const [born, day] = [new Date(`${birthDate}T00:00:00Z`), new Date(`${moment.slice(0, 10)}T00:00:00Z`)];
  const days = Math.round((day.getTime() - born.getTime()) / 86_400_000);
  if (!(days >= 0)) return null;
  const months =
    (day.getUTCFullYear() - born.getUTCFullYear()) * 12 +
    (day.getUTCMonth() - born.getUTCMonth()) -
    (day.getUTCDate() < born.getUTCDate() ? 1 : 0);
  if (months < 1) return inUnits(days, 'day');
  return months < 24 ? inUnits(months, 'month') : inUnits(Math.floor(months / 12), 'year');
};
