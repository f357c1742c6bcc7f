import { genderLabels, mostExportedPatients, type PatientRow, patientSearch } from '@radwork/contract/imaging/patients';
import { audit } from '#core/audit/audit.ts';
import { type CsvRow, namedByDay, portionsOf, sendCsv, streamQuery } from '#core/http/csv.ts';
import type { StreamCall } from '#core/http/http.ts';
import { forbidden } from '#core/http/problem.ts';
import { hasPermission, type Scopes } from '#core/access/scope.ts';
import { listedPatients, toPatientRow } from '#imaging/patient-records/patient-rows.ts';
import { listedIds } from './service.ts';

const heading = [
  'Patient Name',
  'Patient ID',
  'ID issuer',
  'Gender',
  'Date of birth',
  'Phone',
  'Studies',
  'Last study',
  'Priority',
];

const lineOf = (patient: PatientRow): CsvRow => [
  patient.patientName,
  patient.patientId,
  patient.issuer,
  genderLabels[patient.gender],
  patient.dateOfBirth ?? '',
  patient.phoneNumber,
  patient.studyCount,
  (patient.lastStudyDate ?? '').replace('T', ' '),
  patient.priority ?? '',
];

const cutLine = (limit: string): string =>
  `This export ends at ${limit} patients. More patients match. Choose more filters.`;

/** Sends the patient list as CSV, and audits this before the first patient is sent. */
export const exportPatients = async (
  scopes: Scopes,
  { request, reply, session }: StreamCall,
  most = mostExportedPatients,
) => {
  const { page: _, size: __, ...query } = streamQuery(patientSearch, request);
  const ids = await scopes.inTenant(session, async (scope) => {
    if (!hasPermission(scope.session, 'patient.view')) throw forbidden();
    const found = await listedIds(scope, query, most + 1);
    await audit(scope, 'patient.exportList', { entity: 'patient', detail: { patients: Math.min(found.length, most) } });
    return found;
  });
  // Checks the rights of each portion again.
  const read = (some: string[]) =>
    scopes.inTenant(session, async (scope) => (await listedPatients(scope, some)).map(toPatientRow).map(lineOf));
  return sendCsv(reply, { name: namedByDay('patients'), heading, portions: portionsOf(ids, { most, read, cutLine }) });
};
