import type { DashboardAges, DashboardCount, DashboardTiles } from '@radwork/contract/insight/dashboard';
import { studyAges } from '@radwork/contract/imaging/study-work-filters';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { knownFindings } from '#reading/critical-findings/finding-rows.ts';
import { listedFindings } from '#reading/critical-findings/listed-findings.ts';
import { countListed } from '#reading/reports/report-list.ts';
import type { StudyFilter } from '#imaging/studies/study-filter.ts';
import { countStudies } from '#imaging/studies/study-sources.ts';
import type { FiguresOfFewStudies } from './figures-of-few-studies.ts';

/** Maximum that is counted. It is the limit of the study list, so that tile and list show the same number. */
const mostCounted = 10_000;

const count = (scope: Scope, filter: StudyFilter): Promise<DashboardCount> => countStudies(scope, filter, mostCounted);

/** Counts the open tasks for each tile of the dashboard (contract/src/insight/dashboard.ts). */
export const tiles = async (scope: Scope, few?: FiguresOfFewStudies): Promise<DashboardTiles> => {
  const { session } = scope;
  const reads = hasPermission(session, 'report.create');
  const work = async (filter: StudyFilter) => {
    const [all, mine] = [await count(scope, filter), reads && (await count(scope, { ...filter, view: 'MINE' }))];
    return { ...all, mine: mine || null };
  };
  const ifAny = async <T>(condition: boolean, of: () => T | Promise<T>) => (condition ? of() : null);
  const seesReports = hasPermission(session, 'report.view');
  const isOfSome = !knowsAllStudies(session);
  const myStudies = await ifAny(isOfSome, () => (few ? exactly(few.studies) : count(scope, {})));
  return {
    unread: await work({ stage: 'UNREAD' }),
    inProgress: await work({ status: 'IN_PROGRESS' }),
    overdue: await work({ stage: 'OVERDUE' }),
    unassigned: await ifAny(hasPermission(session, 'study.assign'), () => count(scope, { view: 'UNASSIGNED' })),
    myDrafts: await ifAny(seesReports && reads, () => countListed(scope, { view: 'MINE', status: 'DRAFT' })),
    toReview: await ifAny(seesReports && hasPermission(session, 'report.review'), () =>
      countListed(scope, { view: 'TO_REVIEW' }),
    ),
    openCritical: await ifAny(seesReports, () => openFindings(scope)),
    myStudies,
    reportsReady: await ifAny(isOfSome && seesReports, () =>
      few ? exactly(few.reports) : countListed(scope, { view: 'FINALIZED' }),
    ),
    hasStudies: (myStudies ?? (await countStudies(scope, {}, 1))).total > 0,
  };
};

const exactly = (total: number): DashboardCount => ({ total, isMore: false });

const openFindings = async (scope: Scope): Promise<DashboardCount> => {
  const { total } = await knownFindings(scope)
    .where(listedFindings(scope, {}))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { total, isMore: false };
};

/** Counts studies without a report by the time since they arrived. */
export const ages = async (scope: Scope): Promise<DashboardAges> => {
  const counted: DashboardAges = [];
  for (const age of studyAges) counted.push({ age, ...(await count(scope, { age })) });
  return counted;
};
