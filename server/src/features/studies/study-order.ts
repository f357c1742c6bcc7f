import { priorities } from '@radwork/contract/priorities';
import { type studySortFields, studyStatuses } from '@radwork/contract/studies';
import { type RawBuilder, sql } from 'kysely';

type Direction = 'asc' | 'desc';
export type StudySort = { field: (typeof studySortFields)[number]; direction: Direction };

/** Columns of few values, which are sorted by what they mean: the earliest step of the work first, the least urgent first. */
const ranks = { status: studyStatuses, priority: priorities.toReversed() } as const;

export type Ranks = { column: string; values: readonly string[] };

/** What a list is sorted by, with its values in ascending order, where it has only a few. */
export const ranksOf = ({ field }: StudySort): Ranks | undefined =>
  field === 'status' || field === 'priority' ? { column: `s.${field}`, values: ranks[field] } : undefined;

/** The studies that have what a list is sorted by, where only a few have; and what the others are told by instead. */
export type Few = Record<'ids' | 'isMissing' | 'nothing', RawBuilder<unknown>>;

/** What only studies in work have, few of all. The others follow, the newest first, whichever way is sorted. */
const ofFew: Partial<Record<StudySort['field'], Few>> = {
  assignees: {
    ids: sql`(select study_id from study_assignments where status = 'ACTIVE')`,
    isMissing: sql`s.active_assignments = 0`,
    nothing: sql`null::text`,
  },
  dueDate: {
    ids: sql`(select id from studies where deleted_at is null and due_at is not null)`,
    isMissing: sql`s.due_at is null`,
    nothing: sql`null::timestamptz`,
  },
};

export const fewOf = ({ field }: StudySort): Few | undefined => ofFew[field];

/** Of several, the one whom lists name first. */
const firstAssignee = sql`
  case when s.active_assignments > 0 then (
    select u.name from study_assignments a join users u on u.id = a.user_id
    where a.study_id = s.id and a.status = 'ACTIVE' order by a.assigned_at, a.id limit 1) end`;

const rankOf = (column: keyof typeof ranks): RawBuilder<unknown> =>
  sql`array_position(array[${sql.join(ranks[column].map((value) => sql.lit(value)))}], ${sql.ref(`s.${column}`)})`;

/** What a study `s` is sorted by; the description is that which lists show (C18). */
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
};

/** What a study `s` is sorted by. */
export const valueOf = ({ field }: StudySort): RawBuilder<unknown> => columns[field];

/** Of what many have in common, their dates decide. */
const isSharedByMany = new Set<StudySort['field']>([
  'modality',
  'status',
  'seriesCount',
  'priority',
  'patientId',
  'referringPhysicianName',
  'assignees',
  'dueDate',
]);

/**
 * The order of studies `s`, whose value to sort by may have another name. Equals are told apart by their id in the end,
 * so that no study is on two pages; of the equally urgent the oldest comes first, whichever way they are sorted (C24).
 */
export const orderOf = (sort: StudySort, isReversed: boolean, by = valueOf(sort)): RawBuilder<unknown> =>
  sql`${by} ${directionOf(sort.direction, isReversed)}${emptyOnes(sort, isReversed)}, ${orderOfEquals(sort, isReversed)}`;

const emptyOnes = (sort: StudySort, isReversed: boolean) => {
  if (!fewOf(sort)) return sql``;
  return sql.raw(isReversed ? ' nulls first' : ' nulls last');
};

/** The order of those that are alike in what they are sorted by: that of the index which has both. */
export const orderOfEquals = ({ field, direction }: StudySort, isReversed: boolean): RawBuilder<unknown> => {
  const way = directionOf(directionOfEquals(field, direction), isReversed);
  return isSharedByMany.has(field) ? sql`s.study_date ${way}, s.id ${way}` : sql`s.id ${way}`;
};

const directionOfEquals = (field: StudySort['field'], direction: Direction): Direction => {
  if (field === 'priority') return 'asc';
  if (field in ofFew) return 'desc';
  // Modalities from A to Z, each from its newest study on.
  if (field === 'modality') return direction === 'asc' ? 'desc' : 'asc';
  return direction;
};

const directionOf = (direction: Direction, isReversed: boolean) =>
  sql.raw((direction === 'asc') !== isReversed ? 'asc' : 'desc');
