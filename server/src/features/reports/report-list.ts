import { modalitiesMatching } from '@radwork/contract/modalities';
import type { Query } from '@radwork/contract/endpoint';
import { pageOf } from '@radwork/contract/paging';
import type { ReportCount, ReportPage, reports as endpoints, ReportView } from '@radwork/contract/reports';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { holdsText } from '#core/search-text.ts';
import { daysOf } from '#features/studies/study-list.ts';
import { hasCriticalFindings, isAssignedTo, knownReports, listedReports, toReportRow } from './stored-report.ts';

type Ask = Query<typeof endpoints.list>;
type Filter = Partial<Omit<Ask, 'page' | 'size' | 'sort'>>;

const sortColumns = { createdAt: 'r.created_at', studyDate: 's.study_date', patientName: 's.patient_name' } as const;

/** So many reports are counted for the pages of a list, and for the number on a tab. */
const mostCounted = 10_000;
const mostCountedInView = 1000;

/** On any page there are so many to go on to, if the list has them. */
const pagesAhead = 3;

/** One page of the reports that the caller may know of (C48). */
export const list = async (scope: Scope, { page, size, sort, ...filter }: Ask): Promise<ReportPage> => {
  const offset = page * size;
  const { total, isMore } = await count(scope, filter, Math.max(mostCounted, offset + (1 + pagesAhead) * size));
  const rows = await listedReports(scope)
    .where(conditions(scope, filter))
    .orderBy(sortColumns[sort.field], sort.direction)
    .orderBy('r.id', sort.direction)
    .limit(size)
    .offset(offset)
    .execute();
  return {
    ...pageOf(rows.map(toReportRow), total, { page, size }),
    isTotalExact: !isMore,
    sort: `${sort.field},${sort.direction}`,
  };
};

/** How many reports each tab has for the caller. */
export const views = async (scope: Scope): Promise<Record<ReportView, ReportCount>> => {
  const countView = (view: ReportView) => count(scope, { view }, mostCountedInView);
  const [MINE, TO_REVIEW, REVISION_REQUIRED, FINALIZED, ALL] = await Promise.all([
    countView('MINE'),
    countView('TO_REVIEW'),
    countView('REVISION_REQUIRED'),
    countView('FINALIZED'),
    countView('ALL'),
  ]);
  return { MINE, TO_REVIEW, REVISION_REQUIRED, FINALIZED, ALL };
};

const count = async (scope: Scope, filter: Filter, most: number): Promise<ReportCount> => {
  const counted = knownReports(scope)
    .where(conditions(scope, filter))
    .select('r.id')
    .limit(most + 1);
  const { total } = await scope.db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { total: Math.min(total, most), isMore: total > most };
};

const conditions = (scope: Scope, filter: Filter): RawBuilder<boolean> => {
  const { query, status, modality, authorId, reviewerId, critical, startDate, endDate } = filter;
  const { from, to } = daysOf(startDate, endDate);
  const parts: RawBuilder<unknown>[] = [viewCondition(scope, filter.view ?? 'ALL'), ...textConditions(query)];
  if (status) parts.push(sql`r.status = ${status}`);
  if (modality) {
    const matching = modalitiesMatching(modality);
    parts.push(sql`(s.modalities && ${matching}::text[] or s.modality = any(${matching}))`);
  }
  if (authorId) parts.push(sql`r.author_id = ${authorId}`);
  if (reviewerId) parts.push(sql`r.reviewer_id = ${reviewerId}`);
  if (critical !== undefined) parts.push(sql`${hasCriticalFindings} = ${critical}`);
  if (from ?? to) parts.push(sql`s.study_date >= ${from ?? '0001-01-02'}::timestamp`);
  if (to) parts.push(sql`s.study_date < ${to}::timestamp + interval '1 day'`);
  return sql<boolean>`(${sql.join(parts, sql` and `)})`;
};

/** Every word is in the patient's name or ID, the accession number or the description of the study. */
const textConditions = (query = ''): RawBuilder<unknown>[] => {
  // A name is typed as it is shown, "Doe, John", or as DICOM writes it, "Doe^John".
  const words = query.split(/[\s,^=]+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  const found = sql.join(
    words.map((word) => holdsText('found.search_text', word)),
    sql` and `,
  );
  return [sql`r.study_id in (select found.id from study_search found where ${found})`];
};

const viewCondition = ({ session }: Scope, view: ReportView): RawBuilder<boolean> => {
  const { userId } = session;
  switch (view) {
    case 'MINE':
      return sql`r.author_id = ${userId}`;
    case 'TO_REVIEW':
      return sql`(r.reviewer_id = ${userId} and r.status = 'PENDING_REVIEW')`;
    case 'REVISION_REQUIRED':
      return sql`(r.status = 'REVISION_REQUIRED' and (r.author_id = ${userId} or ${isAssignedTo(session)}))`;
    case 'FINALIZED':
      return sql`r.status = 'FINALIZED'`;
    case 'ALL':
      return sql`true`;
  }
};
