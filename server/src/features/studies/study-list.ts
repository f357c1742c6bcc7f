import type { Query } from '@radwork/contract/endpoint';
import { type Page, pageOf } from '@radwork/contract/paging';
import type { studies as endpoints, StudyRow } from '@radwork/contract/studies';
import { readDayRange } from '@radwork/contract/study-dates';
import { found } from '#core/problem.ts';
import type { Scope } from '#core/scope.ts';
import { mayKnowPatient } from '#core/study-access.ts';
import { countStudies, type StudyFilter, studyIds, type StudySort } from './study-keys.ts';
import { studiesById, toStudyRow } from './study-rows.ts';

type Ask = { page: number; size: number; sort: StudySort };

const pageOfStudies = async (scope: Scope, filter: StudyFilter, ask: Ask): Promise<Page<StudyRow>> => {
  const total = await countStudies(scope, filter);
  const slice = { offset: ask.page * ask.size, limit: ask.size, total };
  const rows = await studiesById(scope, await studyIds(scope, filter, ask.sort, slice));
  return { ...pageOf(rows.map(toStudyRow), total, ask), sort: `${ask.sort.field},${ask.sort.direction}` };
};

export const list = (scope: Scope, ask: Query<typeof endpoints.list>): Promise<Page<StudyRow>> =>
  pageOfStudies(scope, { status: ask.status, modality: ask.modality }, ask);

/** Finds the studies that hold every word of the text: in the patient's name or ID, accession number or description. */
export const search = (scope: Scope, ask: Query<typeof endpoints.search>): Promise<Page<StudyRow>> => {
  const { query = '', status, modality, startDate, endDate } = ask;
  // A name is typed as it is shown, "Doe, John", or as DICOM writes it, "Doe^John".
  const words = query.split(/[\s,^=]+/).filter((word) => word !== '');
  return pageOfStudies(scope, { words, status, modality, ...daysOf(startDate, endDate) }, ask);
};

/** The days between two filters, each of which may be a day or a range (C20). A first day alone has no end. */
const daysOf = (start = '', end = ''): Pick<StudyFilter, 'from' | 'to'> => {
  const [first, last] = [readDayRange(start), readDayRange(end)];
  return {
    from: first?.from ?? (isRange(end) ? last?.from : undefined),
    to: last?.to ?? (isRange(start) ? first?.to : undefined),
  };
};

const isRange = (text: string): boolean =>
  text.length > '2026-11-21'.length || text.startsWith('-') || text.endsWith('-');

/** The studies that arrived last. */
export const recent = async (scope: Scope, { size }: Query<typeof endpoints.recent>): Promise<StudyRow[]> => {
  const slice = { offset: 0, limit: size, total: size };
  const ids = await studyIds(scope, {}, { field: 'createdDate', direction: 'desc' }, slice);
  return (await studiesById(scope, ids)).map(toStudyRow);
};

/** What waits to be read: the most urgent first, and of the equally urgent the oldest (C24). */
export const pending = (scope: Scope, ask: Query<typeof endpoints.pending>): Promise<Page<StudyRow>> =>
  pageOfStudies(scope, { status: 'PENDING' }, { ...ask, sort: { field: 'priority', direction: 'desc' } });

export const ofPatient = async (
  scope: Scope,
  patientId: string,
  ask: Query<typeof endpoints.ofPatient>,
): Promise<Page<StudyRow>> => {
  const patient = await scope.db
    .selectFrom('patients')
    .select('id')
    .where('id', '=', patientId)
    .where(mayKnowPatient(scope.session, 'patients.id'))
    .executeTakeFirst();
  found(patient, 'patient');
  return pageOfStudies(scope, { patientId, status: ask.status, modality: ask.modality }, ask);
};
