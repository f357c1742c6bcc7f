import { modalitiesMatching } from '@radwork/contract/core/modalities';
import { priorities, type Priority } from '@radwork/contract/core/priorities';
import type { StudyCondition } from '@radwork/contract/imaging/study-conditions';
import { hoursOfAge, type StudyAge, type StudyStage } from '@radwork/contract/imaging/study-work-filters';
import type { StudyView } from '@radwork/contract/imaging/studies';
import { studyStatuses, type StudyStatus } from '@radwork/contract/imaging/study-status';
import { type RawBuilder, sql } from 'kysely';
import { endOfDay, startOfDay } from '#core/values/days.ts';
import type { Scope } from '#core/access/scope.ts';
import { containsFoldedText, searchWordsOf } from '#core/values/search-text.ts';
import { knowsAllStudies, mayKnowStudy, mayKnowStudyRow } from '#core/access/study-access.ts';
import { mayReadOtherName } from '#imaging/identity-marks/identity-marks.ts';
import { patientsOnceKnownAs } from '#imaging/patient-records/former-id-search.ts';
import {
  findsInTables,
  hasModality,
  isDone,
  isOpen,
  leavesOnlyOpen,
  searchesText,
  sqlOfConditions,
} from './study-conditions.ts';

/**
 * Filter of a study list. Days are "yyyy-MM-dd", and both ends of a range belong to it. A study without a date matches
 * no day.
 */
export type StudyFilter = {
  words?: readonly string[];
  /** Ids of patients whose studies match even if their texts do not contain the words. */
  onceKnown?: readonly string[];
  status?: StudyStatus | undefined;
  modality?: string | undefined;
  /** Several modalities, any of which a study has. Ignored if `modality` is set. */
  modalities?: readonly string[] | undefined;
  view?: StudyView | undefined;
  patientId?: string;
  /** Further conditions. */
  where?: readonly StudyCondition[] | undefined;
  /** Whether the caller sees few of the tenant's studies (study-sources.ts). Default: computed where a list needs it. */
  isOfFew?: boolean;
  /** Part of a list by urgency: studies that wait for a report, or the others. Default: both. */
  part?: 'OPEN' | 'DONE';
  from?: string | undefined;
  to?: string | undefined;
} & FigureFilter;

/** Returns the filter for a typed text. A text that is a former ID also finds the patient who had it. */
export const textFilter = async (scope: Scope, query: string): Promise<Pick<StudyFilter, 'words' | 'onceKnown'>> => ({
  words: searchWordsOf(query),
  onceKnown: await patientsOnceKnownAs(scope, query.trim()),
});

/**
 * Filters of the lists that open from the numbers of the dashboard. Days of arrival are "yyyy-MM-dd" by the calendar of
 * the tenant, and both ends belong to the range.
 */
type FigureFilter = {
  priority?: Priority | undefined;
  mainModality?: string | undefined;
  stage?: StudyStage | undefined;
  age?: StudyAge | undefined;
  arrivedFrom?: string | undefined;
  arrivedTo?: string | undefined;
  assigneeId?: string | undefined;
  /** Studies that wait for this group. */
  groupId?: string | undefined;
};

const isAboutFigures = (filter: FigureFilter) => {
  const { priority, mainModality, stage, age, arrivedFrom, arrivedTo, assigneeId, groupId } = filter;
  return Boolean(priority ?? mainModality ?? stage ?? age ?? arrivedFrom ?? arrivedTo ?? assigneeId ?? groupId);
};

/** Returns the modality codes of which a study has any. Undefined if the filter does not name any. */
export const modalitiesOf = ({ modality, modalities }: StudyFilter): string[] | undefined =>
  modality ? modalitiesMatching(modality) : modalities && [...new Set(modalities.flatMap(modalitiesMatching))];

/**
 * Moves the first condition on modalities, and conditions with one status or priority, to the fields for which lists
 * have their own indexes.
 */
export const withPlainConditions = ({ where = [], ...filter }: StudyFilter): StudyFilter => {
  const plain: StudyFilter = { ...filter };
  const others = where.filter(({ field, operator, values: [value, ...more], values }) => {
    if (operator !== 'is') return true;
    if (field === 'modality' && !plain.modality && !plain.modalities) plain.modalities = values;
    else if (field === 'status' && !plain.status && more.length === 0) {
      plain.status = studyStatuses.find((status) => status === value);
    } else if (field === 'priority' && !plain.priority && more.length === 0) {
      plain.priority = priorities.find((priority) => priority === value);
    } else return true;
    return false;
  });
  return others.length > 0 ? { ...plain, where: others } : plain;
};

/**
 * Returns whether matches are found by a text, so that lists read the view of the text indexes. Few studies are checked
 * one by one.
 */
export const isFoundByText = ({ words, where = [], isOfFew }: StudyFilter): boolean =>
  !isOfFew && (Boolean(words?.length) || where.some(searchesText));

const openViews = new Set<StudyView | undefined>(['UNASSIGNED', 'PENDING', 'IN_PROGRESS']);
const openStatuses = new Set<StudyStatus>(['PENDING', 'ASSIGNED', 'IN_PROGRESS']);

/** Returns whether a part of a list by urgency can have studies. */
export const canHold = ({ status, view, stage, age, where = [] }: StudyFilter, part: 'OPEN' | 'DONE'): boolean => {
  if (status) return openStatuses.has(status) === (part === 'OPEN');
  if (part === 'OPEN') return true;
  const isOnlyOpen = openViews.has(view) || stage === 'UNREAD' || stage === 'UNREPORTED' || age !== undefined;
  return !isOnlyOpen && !where.some(leavesOnlyOpen);
};

/** Returns whether the filter is about arrival. The order of arrival differs from the order of study dates. */
export const isAboutArrival = ({ age, arrivedFrom, arrivedTo }: StudyFilter): boolean =>
  Boolean(age ?? arrivedFrom ?? arrivedTo);

/** Returns whether a list shows only some of the visible studies. */
export const isFiltered = (filter: StudyFilter): boolean => {
  const { words, status, modality, modalities, view = 'ALL', patientId, from, to, where, part } = filter;
  return (
    Boolean(words?.length || status || modality || modalities || view !== 'ALL' || patientId || from || to) ||
    Boolean(where?.length || part) ||
    isAboutFigures(filter)
  );
};

/** Views whose conditions need the table of studies, because study_modalities lacks their columns. */
const isAboutWork = new Set<StudyView>(['MINE', 'UNASSIGNED', 'OVERDUE']);

/** Returns whether study_modalities has all columns of the filter. */
export const needsOnlyStudyModalities = (filter: StudyFilter): boolean => {
  const { words, patientId, view, where } = filter;
  const isOther = isAboutFigures(filter) || Boolean(where?.length) || (view !== undefined && isAboutWork.has(view));
  return !words?.length && patientId === undefined && !isOther;
};

/** Returns the conditions on rows `s` of study_modalities, if that table is enough. It contains no deleted studies. */
export const conditionsOnModalities = (scope: Scope, filter: StudyFilter): RawBuilder<unknown> =>
  sql.join([mayKnowStudy(scope.session, 's.id'), ...shared(scope, filter)], sql` and `);

/** Returns the conditions on studies `s`, in a form that finds matches through an index. */
export const conditionsOnStudies = (scope: Scope, filter: StudyFilter): RawBuilder<unknown> => {
  const matching = modalitiesOf(filter);
  const conditions = [...ofStudies(scope, filter), ...sqlOfConditions(scope, filter.where ?? [], 'find')];
  if (matching && findsInTables(scope)) {
    const rows = sql.join([sql`modality in (${sql.join(matching)})`, ...ofDateAndStatus('m', filter)], sql` and `);
    conditions.push(sql`s.id in (select study_id from study_modalities m where ${rows})`);
  } else if (matching) {
    conditions.push(hasModality(matching));
  }
  return sql.join(conditions, sql` and `);
};

/** Returns the same conditions, in a form that checks one study after another. */
export const conditionsOnEach = (scope: Scope, filter: StudyFilter): RawBuilder<unknown> => {
  const matching = modalitiesOf(filter);
  const conditions = [...ofStudies(scope, filter), ...sqlOfConditions(scope, filter.where ?? [], 'check')];
  if (matching) conditions.push(hasModality(matching));
  return sql.join(conditions, sql` and `);
};

const ofStudies = (scope: Scope, filter: StudyFilter): RawBuilder<unknown>[] => {
  const { patientId } = filter;
  const conditions = [
    sql`s.deleted_at is null`,
    mayKnowStudyRow(scope.session, 's', { isFoundByText: isFoundByText(filter) }),
    ...shared(scope, filter),
    ...ofFigures(scope, filter),
    ...ofText(scope, filter),
  ];
  if (patientId) conditions.push(sql`s.patient_id = ${patientId}`);
  return conditions;
};

const ofText = (scope: Scope, { words = [], onceKnown = [] }: StudyFilter): RawBuilder<unknown>[] => {
  const conditions = words.map((word) => matchesWord(scope, word));
  if (onceKnown.length === 0) return conditions;
  return [sql`((${sql.join(conditions, sql` and `)}) or s.patient_id = any(${onceKnown}::uuid[]))`];
};

/**
 * If a study has an open identity question, its search text ends with the name of the other person (migration 0086).
 * Only some callers may find it by that name.
 */
const matchesWord = ({ session }: Scope, word: string): RawBuilder<unknown> => {
  const condition = containsFoldedText('s.search_text', word);
  if (knowsAllStudies(session)) return condition;
  const ownText = sql<string>`left(s.search_text, -char_length(fold_text(s.identity_names)))`;
  return sql`${condition} and (
    s.identity_names = '' or ${containsFoldedText(ownText, word)} or ${mayReadOtherName(session, 's.id')})`;
};

const shared = ({ session }: Scope, filter: StudyFilter): RawBuilder<unknown>[] => [
  viewCondition(session, filter.view ?? 'ALL'),
  ...ofDateAndStatus('s', filter),
];

/** SQL condition on a study `s`: no report of it has begun. Equal to the condition of the index studies_reading_queue. */
export const isUnread = sql<boolean>`s.status in ('PENDING', 'ASSIGNED')`;

const ofStage: Record<StudyStage, RawBuilder<unknown>> = {
  UNREAD: isUnread,
  UNREPORTED: isOpen,
  OVERDUE: sql`s.due_at < now()`,
};

const ofFigures = ({ session }: Scope, filter: FigureFilter): RawBuilder<unknown>[] => {
  const { priority, mainModality, stage, age, arrivedFrom, arrivedTo, assigneeId, groupId } = filter;
  const conditions: RawBuilder<unknown>[] = [];
  if (priority) conditions.push(sql`s.priority = ${priority}`);
  if (mainModality) conditions.push(sql`s.modality = ${mainModality}`);
  if (stage) conditions.push(ofStage[stage]);
  if (age) conditions.push(isOpen, ...ofAge(age));
  if (arrivedFrom) conditions.push(sql`s.created_at >= ${startOfDay(arrivedFrom, session.timeZone)}`);
  if (arrivedTo) conditions.push(sql`s.created_at < ${endOfDay(arrivedTo, session.timeZone)}`);
  if (assigneeId) conditions.push(isAssignedTo(assigneeId));
  if (groupId) conditions.push(waitsForGroup(groupId));
  return conditions;
};

const ofAge = (age: StudyAge): RawBuilder<unknown>[] => {
  const { from, until } = hoursOfAge[age];
  const before = (hours: number) => sql`now() - make_interval(hours => ${sql.lit(hours)})`;
  const conditions: RawBuilder<unknown>[] = [];
  if (from > 0) conditions.push(sql`s.created_at <= ${before(from)}`);
  if (until !== undefined) conditions.push(sql`s.created_at > ${before(until)}`);
  return conditions;
};

const isAssignedTo = (userId: string) =>
  sql<boolean>`s.id in (select study_id from study_assignments where user_id = ${userId} and status = 'ACTIVE')`;

/** SQL condition on a study `s`: it is assigned to the user, or to a group of the user. */
const isAssignedToUserOrGroups = (userId: string) =>
  sql<boolean>`s.id in (
    select study_id from study_assignments where user_id = ${userId} and status = 'ACTIVE'
    union all
    select a.study_id from group_members m join group_assignments a on a.group_id = m.group_id
    where m.user_id = ${userId} and a.status = 'ACTIVE')`;

/** SQL condition on a study `s`: it waits for the group. It is assigned to the group, or belongs to it and to no user. */
const waitsForGroup = (groupId: string) =>
  sql<boolean>`(s.id in (select study_id from group_assignments where group_id = ${groupId} and status = 'ACTIVE')
    or s.active_assignments = 0 and s.group_ids @> array[${groupId}]::uuid[])`;

/** Compares days as timestamps, because under row-level security only timestamps can use an index. */
const ofDateAndStatus = (rows: 's' | 'm', { status, from, to, part }: StudyFilter): RawBuilder<unknown>[] => {
  const conditions: RawBuilder<unknown>[] = [];
  // The rows of study_modalities are named `s` in the lists of one modality.
  if (part && rows === 's') conditions.push(part === 'OPEN' ? isOpen : isDone);
  const date = sql.ref(`${rows}.study_date`);
  if (status) conditions.push(sql`${sql.ref(`${rows}.status`)} = ${status}`);
  if (from ?? to) conditions.push(sql`${date} >= ${from ?? '0001-01-02'}::timestamp`);
  if (to) conditions.push(sql`${date} < ${to}::timestamp + interval '1 day'`);
  return conditions;
};

const viewCondition = ({ userId }: Scope['session'], view: StudyView): RawBuilder<boolean> => {
  switch (view) {
    case 'MINE':
      return isAssignedToUserOrGroups(userId);
    case 'UNASSIGNED':
      // Must be equal to the condition of its index (migrations/0014_assignments.sql).
      return sql`s.active_assignments = 0 and s.status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS')`;
    case 'PENDING':
    case 'IN_PROGRESS':
      return sql`s.status = ${view}`;
    case 'OVERDUE':
      return sql`s.due_at < now()`;
    case 'ALL':
      return sql`true`;
  }
};
