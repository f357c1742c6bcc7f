import { studySortFields } from '../../../contract/src/imaging/studies.ts';

/** The path of a list. */
export type Path = 'studies/search' | 'studies/saved-views' | 'studies/search/ids' | 'reports';

/** The parameters of a call. */
export type QueryParameters = Record<string, string | number>;

/** Calls that are measured together, one by one, each with a user's parameters. */
export type Case = { name: string; ask: (turn: number) => QueryParameters };

const sorts = studySortFields.flatMap((field) => [`${field},asc`, `${field},desc`]);

const cycle =
  <T>(...choices: T[]) =>
  (turn: number): T =>
    choices[turn % choices.length] as T;

/** Returns pages from 0 to 999 in mixed but fixed order. */
const somePage = (turn: number): number => (turn * 389 + 997) % 1000;

const dayOf = (turn: number, year: number): string =>
  `${year}-${String(1 + (turn % 12)).padStart(2, '0')}-${String(1 + ((turn * 7) % 28)).padStart(2, '0')}`;

const thisYear = new Date().getFullYear();

const filters: Case[] = [
  { name: 'status', ask: (turn) => ({ status: cycle('PENDING', 'ASSIGNED', 'IN_PROGRESS')(turn) }) },
  { name: 'status of most', ask: (turn) => ({ status: cycle('COMPLETED', 'ARCHIVED', 'CANCELLED')(turn) }) },
  { name: 'modality', ask: (turn) => ({ modality: cycle('CT', 'MR', 'US', 'RF', 'SR')(turn) }) },
  { name: 'modality XR', ask: () => ({ modality: 'XR' }) },
  {
    name: 'modality and status',
    ask: (turn) => ({ modality: cycle('CT', 'RF', 'PT')(turn), status: cycle('CANCELLED', 'ARCHIVED')(turn) }),
  },
  { name: 'view MINE', ask: () => ({ view: 'MINE' }) },
  { name: 'view UNASSIGNED', ask: () => ({ view: 'UNASSIGNED' }) },
  { name: 'view PENDING, IN_PROGRESS', ask: (turn) => ({ view: cycle('PENDING', 'IN_PROGRESS')(turn) }) },
  { name: 'view OVERDUE', ask: () => ({ view: 'OVERDUE' }) },
  {
    name: 'one day',
    ask: (turn) => ({ startDate: dayOf(turn, thisYear - 3), endDate: dayOf(turn, thisYear - 3) }),
  },
  { name: 'from a day on', ask: (turn) => ({ startDate: dayOf(turn, thisYear - (turn % 8)) }) },
  {
    name: 'one year',
    ask: (turn) => ({ startDate: `${thisYear - 1 - (turn % 7)}0101-${thisYear - 1 - (turn % 7)}1231` }),
  },
  {
    name: 'one year, modality, status',
    ask: (turn) => ({
      startDate: `${thisYear - 4}0101-${thisYear - 4}1231`,
      modality: cycle('CT', 'MR')(turn),
      status: 'ARCHIVED',
    }),
  },
];

/** Text of a condition for each turn. */
const condition = (name: string, ...texts: string[]): Case => ({
  name: `condition ${name}`,
  ask: (turn) => ({ where: cycle(...texts)(turn) }),
});

const conditions: Case[] = [
  condition('modality is any of', 'modality.is:CT,MR', 'modality.is:PT,RF', 'modality.is:US,XA,MG'),
  condition('modality is not', 'modality.isNot:CT', 'modality.isNot:CT,MR,DX,CR'),
  condition('status is any of', 'status.is:PENDING,IN_PROGRESS', 'status.is:CANCELLED,ARCHIVED'),
  condition('status is not', 'status.isNot:ARCHIVED', 'status.isNot:ARCHIVED,COMPLETED'),
  condition('priority', 'priority.is:STAT', 'priority.isNot:ROUTINE', 'priority.is:ROUTINE'),
  condition('assignee', 'assignee.is:me', 'assignee.empty', 'assignee.present', 'assignee.isNot:me'),
  condition('body part', 'bodyPart.is:KNEE', 'bodyPart.is:CHEST,HEAD', 'bodyPart.isNot:CHEST'),
  condition('referring physician contains', 'referringPhysician.is:c4ca4238', 'referringPhysician.is:c8'),
  condition('referring physician', 'referringPhysician.isNot:c4ca4238', 'referringPhysician.empty'),
  condition('device', 'device.is:CT 1', 'device.is:PT 4,RF 0', 'device.isNot:CT 1'),
  condition('study date', 'studyDate.today', 'studyDate.last:7', 'studyDate.older:30', 'studyDate.older:2000'),
  condition('arrival', 'arrival.today', 'arrival.last:3', 'arrival.older:30'),
  condition('due', 'due.overdue', 'due.within:24', 'due.empty'),
  condition('without a report', 'report.empty'),
  condition(
    'of a working day',
    'report.empty;modality.is:CT,MR;priority.isNot:ROUTINE',
    'report.empty;assignee.empty;arrival.last:2',
    'report.empty;bodyPart.is:CHEST;device.isNot:CT 1',
  ),
];

/** Searches of twenty saved views. */
export const savedSearches: readonly QueryParameters[] = [
  ...conditions.map(({ ask }) => ask(0)),
  { view: 'MINE', sort: 'urgency,desc' },
  { view: 'UNASSIGNED', modality: 'CT' },
  { status: 'PENDING', priority: 'STAT' },
  { query: 'hanstein' },
  { where: 'report.empty;priority.is:STAT,URGENT;due.within:4' },
];

const texts: Case[] = [
  { name: 'part of a frequent name', ask: (turn) => ({ query: cycle('anna', 'mari', 'han', 'stein', 'berg')(turn) }) },
  {
    name: 'part of a less frequent name',
    ask: (turn) => ({ query: cycle('hanstein', 'marberg', 'kovwick', 'nakford')(turn) }),
  },
  { name: 'part of a rare name', ask: (turn) => ({ query: cycle('xlmn', 'xmpr', 'xuvt', 'vosx')(turn) }) },
  { name: 'a name that nobody has', ask: (turn) => ({ query: cycle('yamulstein', 'qqqq', 'zzwz')(turn) }) },
  { name: 'two letters', ask: (turn) => ({ query: cycle('an', 'er', 'so')(turn) }) },
  {
    name: 'family and given name',
    ask: (turn) => ({ query: cycle('stein, anna', 'hansen wei', 'ford^mateo', 'husani li')(turn) }),
  },
  { name: 'a patient ID', ask: (turn) => ({ query: `MRN${String(1 + turn * 37).padStart(7, '0')}` }) },
  { name: 'an accession number', ask: (turn) => ({ query: `A${String(1 + turn * 1009).padStart(8, '0')}` }) },
  { name: 'a description', ask: (turn) => ({ query: cycle('chest', 'mr knee', 'contrast')(turn) }) },
  { name: 'name, modality', ask: (turn) => ({ query: cycle('anna', 'stein', 'hanstein')(turn), modality: 'MR' }) },
  { name: 'name, status', ask: (turn) => ({ query: cycle('anna', 'stein', 'hanstein')(turn), status: 'CANCELLED' }) },
];

const withSort = (sort: string, { name, ask }: Case): Case => ({
  name: `${name}, by ${sort}`,
  ask: (turn) => ({ ...ask(turn), sort }),
});
const atSomePage = ({ name, ask }: Case): Case => ({
  name: `${name}, a page of the first 1,000`,
  ask: (turn) => ({ ...ask(turn), page: somePage(turn) }),
});

const all: Case = { name: 'all', ask: () => ({}) };

const reportSorts = ['createdAt', 'studyDate', 'patientName'].flatMap((field) => [`${field},asc`, `${field},desc`]);

const reportFilters: Case[] = [
  ...['MINE', 'TO_REVIEW', 'REVISION_REQUIRED', 'FINALIZED'].map((view) => ({
    name: `view ${view}`,
    ask: () => ({ view }),
  })),
  { name: 'critical', ask: () => ({ critical: 'true' }) },
  ...[...filters, ...texts].filter(({ name }) => !/status|view/.test(name)),
];

/** Cases for the list of reports, in groups. */
export const reportGroups: { title: string; cases: Case[] }[] = [
  { title: 'Reports: first page of all, in every sort', cases: reportSorts.map((sort) => withSort(sort, all)) },
  { title: 'Reports: first page of every filter', cases: reportFilters },
  {
    title: 'Reports: a page by its number, in every sort',
    cases: reportSorts.map((sort) => atSomePage(withSort(sort, all))),
  },
];

/** Cases for the list of studies, in groups. */
export const groups: { title: string; cases: Case[] }[] = [
  { title: 'First page of all, in every sort', cases: sorts.map((sort) => withSort(sort, all)) },
  { title: 'First page of every filter', cases: filters },
  { title: 'First page of every condition', cases: conditions.map((one) => withSort('urgency,desc', one)) },
  { title: 'First page of every condition, by date', cases: conditions },
  { title: 'First page of a text', cases: texts },
  { title: 'A page by its number, in every sort', cases: sorts.map((sort) => atSomePage(withSort(sort, all))) },
  { title: 'A page by its number, of filters', cases: filters.map(atSomePage) },
];

/** Cases for the first page: all, filters, conditions and texts. */
export const firstPages: readonly Case[] = groups.slice(0, 5).flatMap(({ cases }) => cases);

/** Counts of the saved views, and the ids of a selection. */
export const otherCalls: readonly { path: Path; one: Case }[] = [
  { path: 'studies/saved-views', one: { name: 'counts of twenty saved views', ask: () => ({}) } },
  {
    path: 'studies/search/ids',
    one: { name: 'ids of the first 500', ask: (turn) => ({ ...filters[turn % 5]?.ask(turn), sort: 'urgency,desc' }) },
  },
];

/** Each filter, condition and text in each sort order. */
export const combinations: Case[] = [...filters, ...conditions, ...texts].flatMap((one) =>
  sorts.map((sort) => withSort(sort, one)),
);
