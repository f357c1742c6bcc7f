import type { Report } from '@radwork/contract/reports';
import { formatMoment } from '#ui/formats.ts';
import { patientOf } from './refiled.tsx';

/** Who or what put a report at a newer version than the one that somebody has before them, and when. */
export const whatHappened = (report: Report): string => {
  const { refiledAt, history } = report;
  const [latest] = history;
  if (refiledAt && (!latest || latest.at <= refiledAt)) {
    return `The study was moved to another patient on ${formatMoment(refiledAt)}, after you opened it: it is now of ${patientOf(report)}.`;
  }
  return latest
    ? `${latest.actor.name} changed this report on ${formatMoment(latest.at)}, after you opened it.`
    : 'This report was changed after you opened it.';
};
