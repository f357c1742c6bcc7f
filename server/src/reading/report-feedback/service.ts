import type { Body, Reply } from '@radwork/contract/core/endpoint';
import { visibleText } from '@radwork/contract/reading/report-check-text';
import {
  feedbackVersions,
  mostFeedback,
  type reportFeedbackCalls as endpoints,
} from '@radwork/contract/reading/report-feedback';
import { textChanges } from '@radwork/contract/reading/report-text-changes';
import { forbidden, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { blocksOfHtml } from '#reading/report-records/report-blocks.ts';
import { notifyAuthorOfChanges } from '#reading/report-records/announce-report.ts';
import { hashOfContent } from '#reading/report-records/content.ts';
import { historyOf } from '#reading/report-records/versions.ts';
import { reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { historiesOf, ownReportsEndedByOthers, readVersions, storeRead, textsOf } from './feedback-rows.ts';

/** Lists what colleagues changed in the caller's own reports before they were approved or signed. */
export const list = async (scope: Scope): Promise<Reply<typeof endpoints.list>> => {
  const reports = await ownReportsEndedByOthers(scope, mostFeedback);
  const ids = reports.map(({ id }) => id);
  if (ids.length === 0) return { entries: [], unread: 0 };
  const histories = await historiesOf(scope, ids);
  const compared = reports.flatMap((report) => {
    const history = histories.filter(({ reportId }) => reportId === report.id);
    const versions = feedbackVersions(history, scope.session.userId);
    return versions ? [{ report, ...versions }] : [];
  });
  const texts = await textsOf(
    scope,
    compared.flatMap(({ report: { id: reportId }, from, to }) => [
      { reportId, version: from },
      { reportId, version: to },
    ]),
  );
  const textOf = (id: string, wanted: number): string => {
    const stored = texts.find(({ reportId, version }) => reportId === id && version === wanted);
    return visibleText(blocksOfHtml(stored?.content ?? ''));
  };
  const reads = await readVersions(scope, ids);
  const entries = compared.map(({ report, from, to, end }) => ({
    report,
    from,
    to,
    by: end.actor,
    at: end.at,
    ...textChanges(textOf(report.id, from), textOf(report.id, to)),
    isRead: (reads.get(report.id) ?? 0) >= to,
  }));
  return { entries, unread: entries.filter(({ isRead }) => !isRead).length };
};

/** Marks the feedback on an own report as read or unread. Throws 404 if there is no feedback. */
export const mark = async (scope: Scope, reportId: string, { isRead }: Body<typeof endpoints.mark>): Promise<void> => {
  const report = await reportById(scope, reportId);
  if (report.author_id !== scope.session.userId) throw forbidden();
  const versions = feedbackVersions(await historiesOf(scope, [reportId]), scope.session.userId);
  const { to } = orNotFound(versions, 'version');
  await storeRead(scope, reportId, isRead ? to : undefined);
};

/** Notifies the author if a colleague has signed a text other than the one that the author submitted. */
export const notifyOfFeedback = async (scope: Scope, report: StoredReport, signed: string): Promise<void> => {
  if (report.author_id === scope.session.userId) return;
  const history = await historyOf(scope, report.id);
  const versions = feedbackVersions(history, report.author_id);
  const submitted = history.find(({ version }) => version === versions?.from);
  if (!submitted || submitted.contentHash === hashOfContent(signed).toString('hex')) return;
  await notifyAuthorOfChanges(scope, report);
};
