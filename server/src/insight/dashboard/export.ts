import { t } from '@radwork/contract/core/translate';
import { byteOrderMark, csvOf } from '@radwork/contract/core/csv';
import { severityLabels } from '@radwork/contract/reading/critical-finding-states';
import { type Dashboard, type DashboardCount, dashboardParts, periodQuery } from '@radwork/contract/insight/dashboard';
import { studyAgeLabels } from '@radwork/contract/imaging/study-work-filters';
import { audit } from '#core/audit/audit.ts';
import type { StreamCall } from '#core/http/http.ts';
import { malformed } from '#core/http/problem.ts';
import type { Scopes } from '#core/access/scope.ts';
import { read } from './service.ts';

type Line = (string | number)[];

/** Sends all figures of the period as CSV, and audits the export. */
export const exportDashboard = async (scopes: Scopes, { request, reply, session }: StreamCall) => {
  const parsed = periodQuery.safeParse(request.query);
  if (!parsed.success) {
    throw malformed(parsed.error.issues[0]?.message ?? t`Invalid request data`);
  }
  const figures = await scopes.inTenant(session, async (scope) => {
    await audit(scope, 'dashboard.export', { entity: 'dashboard' });
    return read(scope, { ...parsed.data, parts: [...dashboardParts] });
  });
  const { from, to } = figures;
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="dashboard-${from}-${to}.csv"`)
    .send(byteOrderMark + csvOf(linesOf(figures)));
};

const linesOf = (figures: Dashboard): Line[] => {
  const { from, to, timeZone } = figures;
  return [
    ['Figure', 'Group', 'Value', 'From', 'To'],
    ['Time zone', timeZone, '', from, to],
    ...nowLines(figures),
    ...volumeLines(figures),
    ...readingLines(figures).map((line) => [...line, from, to]),
  ];
};

const saying = ({ total, isMore }: DashboardCount): string | number => (isMore ? `more than ${total}` : total);

const nowLines = ({ tiles, ages = [], critical }: Dashboard): Line[] => {
  const counts: [string, DashboardCount | null | undefined][] = [
    ['Unread', tiles?.unread],
    ['In progress', tiles?.inProgress],
    ['Overdue', tiles?.overdue],
    ['Unassigned', tiles?.unassigned],
    ['My drafts', tiles?.myDrafts],
    ['Reports to review', tiles?.toReview],
    ['Open critical findings', tiles?.openCritical],
    ['My studies', tiles?.myStudies],
    ['Reports ready', tiles?.reportsReady],
  ];
  return [
    ...counts.flatMap(([name, count]): Line[] => (count ? [[name, 'now', saying(count), '', '']] : [])),
    ...ages.map((count): Line => ['Unreported', studyAgeLabels[count.age], saying(count), '', '']),
    ...(critical?.bySeverity ?? []).map(({ severity, unsettled }): Line => [
      'Open critical findings',
      severityLabels[severity],
      unsettled,
      '',
      '',
    ]),
  ];
};

const volumeLines = ({ volume }: Dashboard): Line[] =>
  (volume?.columns ?? []).flatMap(({ from, to, counts }) =>
    Object.entries(counts).map(([modality, total]): Line => ['Studies arrived', modality, total, from, to]),
  );

const readingLines = ({ turnaround = [], workload, critical }: Dashboard): Line[] => [
  ...turnaround.flatMap(({ priority, count, p50Minutes, p90Minutes }): Line[] => [
    ['Studies reported', priority, count],
    ['Turnaround P50 in minutes', priority, rounded(p50Minutes)],
    ['Turnaround P90 in minutes', priority, rounded(p90Minutes)],
  ]),
  ...(workload ?? []).flatMap(({ reader, signed, assigned }): Line[] => [
    ['Reports signed', reader.name, signed],
    ['Assigned now', reader.name, assigned],
  ]),
  ...(critical
    ? [
        ['Critical findings due', '', critical.due],
        ['Critical findings acknowledged in time', '', critical.inTime],
      ]
    : []),
];

const rounded = (minutes: number | null): string | number => (minutes === null ? '' : Math.round(minutes));
