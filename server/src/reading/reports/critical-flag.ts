import type { Body } from '@radwork/contract/core/endpoint';
import type { reports as endpoints } from '@radwork/contract/reading/reports';
import { type Updateable } from 'kysely';
import type { Reports } from '#core/database/schema.ts';
import { type StoredReport } from '#reading/report-records/stored-report.ts';

/** Columns of the flag for critical findings. */
export type Flag = Pick<Updateable<Reports>, 'has_critical_findings' | 'critical_findings_details'>;

/** Returns the columns of the flag for critical findings from a form. Empty if the form does not set the flag. */
export const flagIn = (
  form: Pick<Body<typeof endpoints.save>, 'hasCriticalFindings' | 'criticalFindingsDetails'>,
): Flag =>
  form.hasCriticalFindings === undefined
    ? {}
    : {
        has_critical_findings: form.hasCriticalFindings,
        critical_findings_details: form.hasCriticalFindings ? (form.criticalFindingsDetails ?? '') : '',
      };

/** Returns the new flag of a report. Without a flag in the form, the report keeps its flag. */
export const flagAfter = (flag: Flag, report: StoredReport) => ({
  has_critical_findings: flag.has_critical_findings ?? report.is_flagged,
  critical_findings_details: flag.critical_findings_details ?? report.critical_findings_details,
});

/** Whether a flag changes nothing in a report. */
export const isSameFlag = (flag: Flag, report: StoredReport): boolean =>
  flag.has_critical_findings === undefined ||
  (flag.has_critical_findings === report.is_flagged &&
    flag.critical_findings_details === report.critical_findings_details);
