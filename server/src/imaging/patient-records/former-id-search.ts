import type { Scope } from '#core/access/scope.ts';

/** Returns the patients who had this ID before. Scanners, letters and discs still use former IDs. */
export const patientsOnceKnownAs = async ({ db }: Scope, patientId: string): Promise<string[]> => {
  if (patientId === '') return [];
  const records = await db
    .selectFrom('patients')
    .select('merged_into')
    .distinct()
    .where('patient_id', '=', patientId)
    .where('merged_into', 'is not', null)
    .execute();
  return records.flatMap(({ merged_into }) => merged_into ?? []);
};
