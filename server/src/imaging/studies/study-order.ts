import { priorities } from '@radwork/contract/core/priorities';
import type { studySortFields } from '@radwork/contract/imaging/studies';
import { studyStatuses } from '@radwork/contract/imaging/study-status';
import { type RawBuilder, sql } from 'kysely';
import { isOpen } from './study-conditions.ts';

type Direction = 'asc' | 'desc';
export type StudySort = { field: (typeof studySortFields)[number]; direction: Direction };

/**
 * Columns with few values. They are sorted by meaning: status from the earliest work step on, priority from the least
 * urgent on.
 */
const ranks = { status: studyStatuses, priority: priorities.toReversed() } as const;

export type Ranks = { column: string; values: readonly string[] };

/** Returns the sort column and its values in ascending order. Undefined unless the column has only a few values. */
export const ranksOf = ({ field }: StudySort): Ranks | undefined =>
  field === 'status' || field === 'priority' ? { column: `s.${field}`, values: ranks[field] } : undefined;

/**
 * How to sort by a value that few studies have: the ids of these studies, and the condition and the value for all other
 * studies.
 */
export type SparseSort = Record<'ids' | 'isMissing' | 'nothing', RawBuilder<unknown>>;

/**
 * Columns that have a value only while a study is being worked on. All other studies follow, newest first, in both
 * directions.
 */
const ofFew: Partial<Record<StudySort['field'], SparseSort>> = {
  assignees: {
    ids: sql`(select study_id from study_assignments where status = 'ACTIVE'
      union all select study_id from group_assignments where status = 'ACTIVE')`,
    isMissing: sql`s.active_assignments = 0`,
    nothing: sql`null::text`,
  },
  dueDate: {
    ids: sql`(select id from studies where deleted_at is null and due_at is not null)`,
    isMissing: sql`s.due_at is null`,
    nothing: sql`null::timestamptz`,
  },
};

export const sparseSortOf = ({ field }: StudySort): SparseSort | undefined => ofFew[field];

/** Sorts by the assignee that lists show first. Groups follow users. */
const firstAssignee = sql`
  case when s.active_assignments > 0 then coalesce((
    select u.name from study_assignments a join users u on u.id = a.user_id
    where a.study_id = s.id and a.status = 'ACTIVE' order by a.assigned_at, a.id limit 1), (
    select g.name from group_assignments a join groups g on g.id = a.group_id
    where a.study_id = s.id and a.status = 'ACTIVE' order by a.assigned_at, a.id limit 1)) end`;

const rankOf = (column: keyof typeof ranks): RawBuilder<unknown> =>
  sql`array_position(array[${sql.join(ranks[column].map((value) => sql.lit(value)))}], ${sql.ref(`s.${column}`)})`;

/** Sort expressions of open studies by urgency: the rank of the priority, and the due time or `infinity`. */
export const rankOfUrgency = sql`array_position(array[${sql.join(priorities.map((value) => sql.lit(value)))}], s.priority)`;
export const dueOrLast = sql`coalesce(s.due_at, 'infinity')`;

/** Sort expressions for a study `s`. The description is the one that the list displays. */
const columns: Record<StudySort['field'], RawBuilder<unknown>> = {
  studyDate: sql`s.study_date`,
  patientName: sql`s.patient_name`,
  modality: sql`s.modality`,
  status: rankOf('status'),
  seriesCount: sql`s.series_count`,
  description: sql`coalesce(nullif(s.description, ''), s.study_description)`,
  priority: rankOf('priority'),
  createdDate: sql`s.created_at`,
  accessionNumber: sql`s.accession_number`,
  patientId: sql`s.patient_identifier`,
  referringPhysicianName: sql`s.referring_physician_name`,
  assignees: firstAssignee,
  dueDate: sql`s.due_at`,
  urgency: sql`case when ${isOpen}
    then row(0, ${rankOfUrgency}, ${dueOrLast}, s.created_at, s.id)
    else row(1, null::int, null::timestamptz, null::timestamptz, null::uuid) end`,
};

/**
 * Returns the order of open studies by urgency. Must be equal to the expressions of the index studies_reading_queue
 * (migration 0119). `by` replaces them with the names of computed columns.
 */
export const orderOfOpen = (
  direction: Direction,
  by = { rank: rankOfUrgency, due: dueOrLast },
): RawBuilder<unknown> => {
  const way = sql.raw(direction === 'desc' ? 'asc' : 'desc');
  return sql`${by.rank} ${way}, ${by.due} ${way}, s.created_at ${way}, s.id ${way}`;
};

/** Returns the sort expression for a study `s`. */
export const valueOf = ({ field }: StudySort): RawBuilder<unknown> => columns[field];

/** Fields in which many studies have the same value. These studies are sorted by date. */
const isSharedByMany = new Set<StudySort['field']>([
  'modality',
  'status',
  'seriesCount',
  'priority',
  'patientId',
  'referringPhysicianName',
  'assignees',
  'dueDate',
  'urgency',
]);

/**
 * Returns the order of studies `s`. `by` replaces the sort expression, for example with the name of a computed column.
 * The id comes last, so that no study is on two pages. Equally urgent studies are oldest first in both directions.
 */
export const orderOf = (sort: StudySort, isReversed: boolean, by = valueOf(sort)): RawBuilder<unknown> =>
  sql`${by} ${directionOf(directionOfValue(sort), isReversed)}${emptyOnes(sort, isReversed)}, ${orderOfEquals(sort, isReversed)}`;

/** The most urgent study has the smallest value. */
const directionOfValue = ({ field, direction }: StudySort): Direction => {
  if (field !== 'urgency') return direction;
  return direction === 'desc' ? 'asc' : 'desc';
};

const emptyOnes = (sort: StudySort, isReversed: boolean) => {
  if (!sparseSortOf(sort)) return sql``;
  return sql.raw(isReversed ? ' nulls first' : ' nulls last');
};

/**
 * Returns the order of studies with equal sort values. It equals the order of the index that begins with the sort
 * column.
 */
export const orderOfEquals = ({ field, direction }: StudySort, isReversed: boolean): RawBuilder<unknown> => {
  const way = directionOf(directionOfEquals(field, direction), isReversed);
  return isSharedByMany.has(field) ? sql`s.study_date ${way}, s.id ${way}` : sql`s.id ${way}`;
};

const directionOfEquals = (field: StudySort['field'], direction: Direction): Direction => {
  if (field === 'priority') return 'asc';
  if (field in ofFew) return 'desc';
  // Modalities from A to Z, and within each the newest study first.
  if (field === 'modality') return direction === 'asc' ? 'desc' : 'asc';
  return direction;
};

const directionOf = (direction: Direction, isReversed: boolean) =>
  sql.raw((direction === 'asc') !== isReversed ? 'asc' : 'desc');
