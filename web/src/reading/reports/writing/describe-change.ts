import { t } from '@lingui/core/macro';
import type { Report } from '@radwork/contract/reading/reports';
import { formatMoment } from '#ui/formats/formats.ts';
import { patientNameAndId } from './study-moved.tsx';

/** Whether the move of the study to another patient is the last change of its report. */
const isRefiledLast = ({ refiledAt, history: [latest] }: Report): boolean =>
  refiledAt !== null && (!latest || latest.at <= refiledAt);

/** Whether the report has changed since this revision only because its study moved. */
export const isOnlyMoved = (report: Report, revision: number | null): boolean =>
  isRefiledLast(report) && revision === report.revision - 1;

/** Describes who or what created the newer version of a report, and when. */
export const describeLastChange = (report: Report): string => {
  const [latest] = report.history;
  if (isRefiledLast(report)) {
    const moment = formatMoment(report.refiledAt);
    const patient = patientNameAndId(report);
    return t`The study was moved to ${patient} on ${moment}, after you opened it.`;
  }
  if (!latest) return t`This report was changed after you opened it.`;
  const name = latest.actor.name;
  const moment = formatMoment(latest.at);
  return t`${name} changed this report on ${moment}, after you opened it.`;
};
