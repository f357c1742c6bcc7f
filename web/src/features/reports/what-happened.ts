import type { Report } from '@radwork/contract/reports';
import { formatMoment } from '#ui/formats.ts';
import { patientOf } from './refiled.tsx';

/** Whether nobody has changed a report since its study was filed under another patient. */
const isRefiledLast = ({ refiledAt, history: [latest] }: Report): boolean =>
  refiledAt !== null && (!latest || latest.at <= refiledAt);

/** Whether nothing else has happened to a report since it had this revision. */
export const isRefiledOnly = (report: Report, revision: number | null): boolean =>
  isRefiledLast(report) && revision === report.revision - 1;

/** Who or what put a report at a newer version than the one that somebody has before them, and when. */
export const whatHappened = (report: Report): string => {
  const [latest] = report.history;
  if (isRefiledLast(report)) {
    return `The study was moved to another patient on ${formatMoment(report.refiledAt)}, after you opened it: it is now of ${patientOf(report)}.`;
  }
  return latest
    ? `${latest.actor.name} changed this report on ${formatMoment(latest.at)}, after you opened it.`
    : 'This report was changed after you opened it.';
};
