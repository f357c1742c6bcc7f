import { modalitiesMatching } from '@radwork/contract/core/modalities';
import { priorities } from '@radwork/contract/core/priorities';
import { callerAsAssignee, numberOf, type StudyCondition } from '@radwork/contract/imaging/study-conditions';
import { studyStatuses } from '@radwork/contract/imaging/study-status';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToGroups } from '#core/access/study-access.ts';
import { daysAfter, endOfDay, startOfDay, today } from '#core/values/days.ts';
import { containsFoldedText, searchWordsOf } from '#core/values/search-text.ts';

/**
 * Form of a condition. `find`: finds matches through an index. `check`: checks one study after another while a list is
 * read in its order.
 */
type Form = 'find' | 'check';

/** Conditions of the statuses that wait for a report, and of the others. Equal to the conditions of indexes. */
export const isOpen = sql<boolean>`s.status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS')`;
export const isDone = sql<boolean>`s.status in ('COMPLETED', 'CANCELLED', 'ARCHIVED')`;

/** Returns SQL conditions on a study `s`. */
export const sqlOfConditions = (
  scope: Scope,
  conditions: readonly StudyCondition[],
  form: Form,
): RawBuilder<unknown>[] => {
  const formOf = ({ field }: StudyCondition) =>
    (field === 'modality' || field === 'bodyPart') && !findsInTables(scope) ? 'check' : form;
  return conditions.map((condition) => sqlOf(scope.session, condition, formOf(condition)));
};

/**
 * Whether the tables of modalities and series find matches sooner than checking each study. For users who are limited to
 * groups, the groups of each of their rows would be looked up.
 */
export const findsInTables = ({ session }: Scope): boolean => !isLimitedToGroups(session);

/** SQL condition on a study `s`. A study without modalities counts under its main modality. */
export const hasModality = (modalities: readonly string[]): RawBuilder<boolean> =>
  sql`(s.modalities && ${[...modalities]}::text[] or s.modality = any(${[...modalities]}::text[]))`;

const sqlOf = (session: Scope['session'], condition: StudyCondition, form: Form): RawBuilder<unknown> => {
  const { operator, values } = condition;
  switch (condition.field) {
    case 'modality':
      return ofModality(values, operator === 'isNot', form);
    case 'status':
      return isAmong('s.status', studyStatuses, values, operator === 'isNot');
    case 'priority':
      return isAmong('s.priority', priorities, values, operator === 'isNot');
    case 'assignee':
      return ofAssignee(session, condition, form);
    case 'bodyPart':
      return ofBodyPart(values, operator === 'isNot', form);
    case 'referringPhysician':
      return ofReferringPhysician(condition);
    case 'device':
      return operator === 'isNot'
        ? sql`s.equipment_name <> all(${values}::text[])`
        : sql`s.equipment_name <> '' and s.equipment_name = any(${values}::text[])`;
    case 'studyDate':
      return ofStudyDate(session, condition);
    case 'arrival':
      return ofArrival(session, condition);
    case 'due':
      return ofDue(condition);
    case 'report':
      return isOpen;
  }
};

/** Excluded values become the other values, because an index finds those. Literals, because partial indexes name them. */
const isAmong = (column: string, all: readonly string[], values: readonly string[], isExcluded: boolean) => {
  const chosen = all.filter((value) => values.includes(value) !== isExcluded);
  if (chosen.length === 0) return sql`false`;
  return sql`${sql.ref(column)} in (${sql.join(chosen.map((value) => sql.lit(value)))})`;
};

const ofModality = (values: readonly string[], isExcluded: boolean, form: Form) => {
  const matching = values.flatMap(modalitiesMatching);
  const matches = hasModality(matching);
  if (isExcluded) return sql`not ${matches}`;
  return form === 'check'
    ? matches
    : sql`s.id in (select study_id from study_modalities where modality = any(${matching}::text[]))`;
};

/** "offset 0" keeps the planner from joining, so that a list is still read in its order. */
const ofAssignee = ({ userId }: Scope['session'], { operator, values }: StudyCondition, form: Form) => {
  const users = values.map((value) => (value === callerAsAssignee ? userId : value));
  const active = sql`from study_assignments a where a.status = 'ACTIVE'`;
  const isTheirs = sql`exists (select ${active} and a.study_id = s.id and a.user_id = any(${users}::uuid[]) offset 0)`;
  switch (operator) {
    case 'empty':
      return sql`s.active_assignments = 0`;
    case 'present':
      return form === 'check' ? sql`s.active_assignments > 0` : sql`s.id in (select a.study_id ${active})`;
    case 'isNot':
      return sql`not (s.active_assignments > 0 and ${isTheirs})`;
    default:
      return form === 'check'
        ? sql`s.active_assignments > 0 and ${isTheirs}`
        : sql`s.id in (select a.study_id ${active} and a.user_id = any(${users}::uuid[]))`;
  }
};

const ofBodyPart = (values: readonly string[], isExcluded: boolean, form: Form) => {
  const parts = values.map((value) => value.toUpperCase());
  const series = sql`from series b
    where b.body_part_examined <> '' and b.body_part_examined = any(${parts}::text[]) and not b.is_rejected`;
  const shows = sql`exists (select ${series} and b.study_id = s.id offset 0)`;
  if (isExcluded) return sql`not ${shows}`;
  return form === 'check' ? shows : sql`s.id in (select b.study_id ${series})`;
};

/** Each value is a text that the name contains. */
const ofReferringPhysician = ({ operator, values }: StudyCondition) => {
  if (operator === 'empty') return sql`s.referring_physician_name = ''`;
  const isNamed = (text: string) => {
    const words = searchWordsOf(text).map((word) => containsFoldedText('s.folded_referring_physician_name', word));
    return sql`(${sql.join(words.length > 0 ? words : [sql`false`], sql` and `)})`;
  };
  const matches = sql`(${sql.join(values.map(isNamed), sql` or `)})`;
  return operator === 'isNot' ? sql`not ${matches}` : matches;
};

/** Compares timestamps, because under row-level security only those use an index. A study without date matches nothing. */
const ofStudyDate = ({ timeZone }: Scope['session'], condition: StudyCondition) => {
  const now = today(timeZone);
  const dayAgo = (days: number) => sql`${daysAfter(now, -days)}::timestamp`;
  const tomorrow = sql`${daysAfter(now, 1)}::timestamp`;
  switch (condition.operator) {
    case 'older':
      return sql`s.study_date >= '0001-01-02'::timestamp and s.study_date < ${dayAgo(numberOf(condition))}`;
    case 'last':
      return sql`s.study_date >= ${dayAgo(numberOf(condition) - 1)} and s.study_date < ${tomorrow}`;
    default:
      return sql`s.study_date >= ${dayAgo(0)} and s.study_date < ${tomorrow}`;
  }
};

const ofArrival = ({ timeZone }: Scope['session'], condition: StudyCondition) => {
  const now = today(timeZone);
  switch (condition.operator) {
    case 'older':
      return sql`s.created_at < ${startOfDay(daysAfter(now, -numberOf(condition)), timeZone)}`;
    case 'last':
      return sql`s.created_at >= ${startOfDay(daysAfter(now, 1 - numberOf(condition)), timeZone)}`;
    default:
      return sql`s.created_at >= ${startOfDay(now, timeZone)} and s.created_at < ${endOfDay(now, timeZone)}`;
  }
};

const ofDue = (condition: StudyCondition) => {
  switch (condition.operator) {
    case 'empty':
      return sql`s.due_at is null`;
    case 'within':
      return sql`s.due_at >= now() and s.due_at < now() + make_interval(hours => ${numberOf(condition)}::int)`;
    default:
      return sql`s.due_at < now()`;
  }
};

/** Whether a condition searches a text, which the trigram index of the view finds (migrations/0003_archive.sql). */
export const searchesText = ({ field, operator }: StudyCondition): boolean =>
  field === 'referringPhysician' && operator === 'is';

/** Whether the condition leaves only open studies. */
export const leavesOnlyOpen = ({ field, operator, values }: StudyCondition): boolean => {
  if (field === 'report') return true;
  if (field !== 'status') return false;
  const open = ['PENDING', 'ASSIGNED', 'IN_PROGRESS'];
  return operator === 'is'
    ? values.every((value) => open.includes(value))
    : studyStatuses.every((status) => open.includes(status) || values.includes(status));
};
