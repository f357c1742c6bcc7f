import type { Reply } from '@radwork/contract/core/endpoint';
import type { reports as endpoints } from '@radwork/contract/reading/reports';
import type { Scope } from '#core/access/scope.ts';
import { patientById } from '#imaging/patient-records/patient-rows.ts';
import { listedReports, toReportRow } from '#reading/report-records/stored-report.ts';

/** Returns the reports of a patient that the caller may read. */
export const reportsOfPatient = async (scope: Scope, id: string): Promise<Reply<typeof endpoints.ofPatient>> => {
  await patientById(scope, id);
  const rows = await listedReports(scope)
    .where('s.patient_id', '=', id)
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .execute();
  return rows.map(toReportRow);
};
