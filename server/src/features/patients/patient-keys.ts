import type { Gender, patientSortFields } from '@radwork/contract/patients';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { mayKnowPatient, mayKnowStudy } from '#core/study-access.ts';

/** Which patients a list is about. Days are "yyyy-MM-dd" and included: of birth, and those of a study. */
export type PatientFilter = {
  words?: readonly string[];
  /** Those whom the words find whatever they are called. */
  alsoFound?: readonly string[];
  gender?: Gender | undefined;
  bornFrom?: string | undefined;
  bornTo?: string | undefined;
  fromDate?: string | undefined;
  toDate?: string | undefined;
};

export type PatientSort = { field: (typeof patientSortFields)[number]; direction: 'asc' | 'desc' };

/** Part of a list: `limit` patients after the first `offset`, of `total`, or of more than that. */
type Slice = { offset: number; limit: number; total: number; isTotalExact: boolean };

/** How many patients there are; counting ends at `most`. */
export const countPatients = async (scope: Scope, filter: PatientFilter, most: number): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from ${sourceOf(filter)} p where ${conditionsOf(scope, filter)} limit ${most}) counted`.execute(scope.db);
  return rows[0]?.total ?? 0;
};

/** The ids of one slice of a list, in order. */
export const patientIds = (scope: Scope, filter: PatientFilter, sort: PatientSort, slice: Slice): Promise<string[]> =>
  sort.field === 'lastStudyDate'
    ? idsByLastStudy(scope, filter, sort.direction, slice)
    : idsByColumn(scope, filter, { field: sort.field, direction: sort.direction }, slice);

/** Text is searched through its view (migrations/0016_patient_merges.sql). */
const sourceOf = ({ words }: PatientFilter): RawBuilder<unknown> =>
  words?.length ? sql`patient_search` : sql`patients`;

const conditionsOf = (scope: Scope, filter: PatientFilter): RawBuilder<unknown> => {
  const { gender } = filter;
  const conditions = [
    sql`p.merged_into is null`,
    mayKnowPatient(scope.session, 'p.id'),
    ...conditionsOfText(filter),
    ...conditionsOfAge(filter),
    ...conditionsOfStudies(scope, filter),
  ];
  if (gender) conditions.push(sql`p.gender = ${gender}`);
  return sql.join(conditions, sql` and `);
};

const conditionsOfText = ({ words = [], alsoFound = [] }: PatientFilter): RawBuilder<unknown>[] => {
  const held = words.map(holdsWord);
  return alsoFound.length === 0 ? held : [sql`(${sql.join(held, sql` and `)} or p.id = any(${alsoFound}::uuid[]))`];
};

/** A word of a name or an ID, in any case and without accents: folded as what is searched is. */
const holdsWord = (word: string): RawBuilder<boolean> => {
  const literal = word.replaceAll(/[\\%_]/g, '\\$&');
  return sql`p.search_text like '%' || trim(both '=' from fold_name(${literal}::text)) || '%'`;
};

/** All ages are every patient, also those whose birth is not known (C55). */
const conditionsOfAge = ({ bornFrom, bornTo }: PatientFilter): RawBuilder<unknown>[] => [
  ...(bornFrom ? [sql`p.date_of_birth >= ${bornFrom}::date`] : []),
  ...(bornTo ? [sql`p.date_of_birth <= ${bornTo}::date`] : []),
];

const conditionsOfStudies = ({ session }: Scope, { fromDate, toDate }: PatientFilter): RawBuilder<unknown>[] => {
  if (!fromDate && !toDate) return [];
  const days = [sql`s.study_date >= ${fromDate ?? '0001-01-02'}::timestamp`];
  if (toDate) days.push(sql`s.study_date < ${toDate}::date + 1`);
  return [
    sql`p.id in (
      select s.patient_id from studies s
      where s.deleted_at is null and ${mayKnowStudy(session, 's.id')} and ${sql.join(days, sql` and `)})`,
  ];
};

type ColumnSort = { field: Exclude<PatientSort['field'], 'lastStudyDate'>; direction: 'asc' | 'desc' };

const columns: Record<ColumnSort['field'], readonly string[]> = {
  patientName: ['p.folded_name'],
  patientId: ['p.patient_id'],
  gender: ['p.gender', 'p.folded_name'],
  dateOfBirth: ['p.date_of_birth'],
  createdDate: ['p.created_at'],
};

/** Equals are told apart by their id, so that nobody is on two pages; who has no date of birth comes last both ways. */
const orderOf = ({ field, direction }: ColumnSort, isReversed: boolean): RawBuilder<unknown> => {
  const isAscending = (direction === 'asc') !== isReversed;
  const end = isReversed ? 'first' : 'last';
  const order = isAscending ? 'asc' : 'desc';
  return sql.join(
    [...columns[field], 'p.id'].map((column) =>
      column === 'p.date_of_birth'
        ? sql`${sql.ref(column)} ${sql.raw(order)} nulls ${sql.raw(end)}`
        : sql`${sql.ref(column)} ${sql.raw(order)}`,
    ),
  );
};

/**
 * Whether those whom a filter leaves are found first and sorted then, where they are few: the planner cannot tell how
 * few, and walked everybody in order to find them (870 of a million who had a study in three days: 120 ms, then 15).
 */
const isSelective = ({ words = [], fromDate, toDate }: PatientFilter): boolean =>
  words.length > 0 || Boolean(fromDate ?? toDate);

/** Read from the nearer end, so that the last page costs what the first does. */
const idsByColumn = async (scope: Scope, filter: PatientFilter, sort: ColumnSort, slice: Slice): Promise<string[]> => {
  const { offset, limit, total, isTotalExact } = slice;
  const size = isTotalExact ? Math.min(limit, total - offset) : limit;
  if (size <= 0) return [];
  const isFromEnd = isTotalExact && offset > total / 2;
  const found = sql`select p.* from ${sourceOf(filter)} p where ${conditionsOf(scope, filter)}`;
  const { rows } = await sql<{ id: string }>`
    select p.id from (${isTotalExact && isSelective(filter) ? sql`${found} offset 0` : found}) p
    order by ${orderOf(sort, isFromEnd)}
    limit ${size} offset ${isFromEnd ? total - offset - size : offset}`.execute(scope.db);
  const ids = rows.map(({ id }) => id);
  return isFromEnd ? ids.toReversed() : ids;
};

/**
 * By the day of the last study that the caller may know of. Studies are walked in the order of their dates, and each
 * patient's last one stands for the patient; who has none follows, whatever the direction.
 */
const idsByLastStudy = async (
  scope: Scope,
  filter: PatientFilter,
  direction: 'asc' | 'desc',
  slice: Slice,
): Promise<string[]> => {
  const order = sql.raw(direction);
  const { rows } = await sql<{ id: string }>`
    select s.patient_id as id from studies s
    where ${isLastStudy(scope)} and exists (
      select from ${sourceOf(filter)} p where p.id = s.patient_id and ${conditionsOf(scope, filter)})
    order by s.study_date ${order}, s.id ${order} limit ${slice.limit} offset ${slice.offset}`.execute(scope.db);
  const ids = rows.map(({ id }) => id);
  if (ids.length === slice.limit) return ids;
  // Where studies end the rest begins, which only the whole number tells; few look that far.
  const total = slice.isTotalExact ? slice.total : await countPatients(scope, filter, everybody);
  const missing = Math.min(slice.limit, total - slice.offset) - ids.length;
  return missing > 0 ? [...ids, ...(await idsWithoutStudy(scope, filter, missing, { ...slice, total }))] : ids;
};

/** More patients than anybody has. */
const everybody = 2 ** 31 - 1;

const isLastStudy = ({ session }: Scope): RawBuilder<unknown> => sql`
  s.deleted_at is null and ${mayKnowStudy(session, 's.id')} and not exists (
    select from studies later
    where later.patient_id = s.patient_id and later.deleted_at is null and ${mayKnowStudy(session, 'later.id')}
      and (later.study_date, later.id) > (s.study_date, s.id))`;

/** The `missing` patients that end a slice which those with studies do not fill: read from the end of the list. */
const idsWithoutStudy = async (
  scope: Scope,
  filter: PatientFilter,
  missing: number,
  { offset, limit, total }: Slice,
) => {
  const { rows } = await sql<{ id: string }>`
    select p.id from ${sourceOf(filter)} p
    where ${conditionsOf(scope, filter)} and not exists (
      select from studies s
      where s.patient_id = p.id and s.deleted_at is null and ${mayKnowStudy(scope.session, 's.id')})
    order by p.id desc limit ${missing} offset ${Math.max(0, total - offset - limit)}`.execute(scope.db);
  return rows.map(({ id }) => id).toReversed();
};
