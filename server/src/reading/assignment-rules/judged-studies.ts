import { followUpParts, partAgreement, partsNamedIn } from '@radwork/contract/reading/follow-up-parts';
import { mostDaysBeforeArrival } from '@radwork/contract/reading/assignment-rules';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import type { JudgedStudy } from './evaluate.ts';

/** A study with the data that rules judge. `description` names no patient. */
export type StudyToJudge = JudgedStudy & { id: string; patientId: string; description: string; arrivedAt: string };

/** Returns the data that rules judge, of the studies that meet a condition on a row "s" of studies, the newest first. */
export const studiesToJudge = async (
  { db }: Scope,
  condition: RawBuilder<boolean>,
  most: number,
): Promise<StudyToJudge[]> => {
  const rows = await db
    .selectFrom('studies as s')
    .select(['s.id', 's.patient_id', 's.modality', 's.modalities', 's.priority', 's.group_ids', 's.created_at'])
    .select(['s.description', 's.study_description', 's.procedure_description'])
    .select(['s.institution_name', 's.equipment_name'])
    .select(
      sql<string[]>`array(select distinct b.body_part_examined from series b
        where b.study_id = s.id and b.body_part_examined <> '' and not b.is_rejected)`.as('body_parts'),
    )
    .select(isOld.as('is_old'))
    .where('s.deleted_at', 'is', null)
    .where('s.instance_count', '>', 0)
    .where(condition)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(most)
    .execute();
  return rows.map((row) => {
    const words = row.description || row.study_description;
    return {
      id: row.id,
      patientId: row.patient_id,
      // Many study descriptions begin with the modality.
      description: words.startsWith(`${row.modality} `) ? words : [row.modality, words].filter(Boolean).join(' · '),
      arrivedAt: row.created_at,
      modalities: [row.modality, ...row.modalities],
      bodyParts: bodyPartsOf([words, row.procedure_description], row.body_parts),
      sites: [row.institution_name, row.equipment_name],
      priority: row.priority,
      groupIds: row.group_ids,
      isOld: row.is_old,
    };
  });
};

/** A study without a date is not old. The date is local to the scanner, so this is right to a day. */
const isOld = sql<boolean>`(s.study_date >= '0001-01-02'::timestamp
  and s.study_date < (s.created_at at time zone 'UTC') - make_interval(days => ${mostDaysBeforeArrival}::int))`;

/** Returns the stored body parts, and the parts that texts and stored parts name. The abdomen includes the liver. */
const bodyPartsOf = (texts: readonly string[], stored: readonly string[]): string[] => {
  const named = [...texts, ...stored].flatMap((text) => partsNamedIn(text).map(({ part }) => part));
  return [...stored, ...followUpParts.filter((part) => partAgreement(part, named) === 'SAME')];
};
