import type { FilterChoices } from '@radwork/contract/imaging/studies';
import { type RawBuilder, sql } from 'kysely';
import { knowsAllStudies, mayKnowStudy } from '#core/access/study-access.ts';
import type { Scope } from '#core/access/scope.ts';

/** Limit of the values of one field. Beyond it, users type the value. */
const most = 200;

/** Returns body parts and devices of the studies that the caller may see, from A to Z. */
export const filterChoices = async (scope: Scope): Promise<FilterChoices> => {
  if (!knowsAllStudies(scope.session)) return choicesOfSome(scope);
  const [bodyParts, devices] = await Promise.all([
    valuesIn(scope, sql`series`, sql`body_part_examined`, sql`true`),
    valuesIn(scope, sql`studies`, sql`equipment_name`, sql`deleted_at is null`),
  ]);
  return { bodyParts, devices };
};

/** Jumps from value to value in an index (series_body_part, studies_device), instead of reading all of its rows. */
const valuesIn = async (
  { db }: Scope,
  table: RawBuilder<unknown>,
  column: RawBuilder<unknown>,
  isListed: RawBuilder<unknown>,
): Promise<string[]> => {
  const after = (value: RawBuilder<unknown>) => sql`(
    select ${column} from ${table} where ${isListed} and ${column} <> '' and ${column} > ${value}
    order by ${column} limit 1)`;
  const { rows } = await sql<{ value: string }>`
    with recursive listed as (
      select ${after(sql`''`)} as value
      union all
      select ${after(sql`listed.value`)} from listed where listed.value is not null)
    select value from listed where value is not null limit ${most}`.execute(db);
  return rows.map(({ value }) => value);
};

/** Users with limited access have few studies, whose values are collected. */
const choicesOfSome = async ({ db, session }: Scope): Promise<FilterChoices> => {
  const { rows } = await sql<{ name: string; isDevice: boolean }>`
    with known as (select s.id, s.equipment_name from studies s
                   where s.deleted_at is null and ${mayKnowStudy(session, 's.id')})
    select distinct equipment_name as name, true as "isDevice" from known where equipment_name <> ''
    union select distinct b.body_part_examined, false from series b join known on known.id = b.study_id
    where b.body_part_examined <> ''
    order by name limit ${2 * most}`.execute(db);
  const namesOf = (isDevice: boolean) => rows.filter((row) => row.isDevice === isDevice).map(({ name }) => name);
  return { bodyParts: namesOf(false), devices: namesOf(true) };
};
