import { Readable } from 'node:stream';
import { patients } from '@radwork/phantom/patients';
import type { PhantomFile, StudyOptions } from '@radwork/phantom/studies';
import { storeInstances } from '#imaging/archive/store/store-instances.ts';
import type { Context } from '#core/context.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { type DemoStudy, makers } from './demo-studies.ts';

const day = 24 * 60 * 60 * 1000;

/** Returns the options for the generator. For the same study of a tenant, the bytes are always the same. */
const optionsOf = (study: DemoStudy, subdomain: string, number: number, today: Date): StudyOptions => {
  const studyDate = new Date(today.getTime() - study.daysAgo * day).toISOString().slice(0, 10).replaceAll('-', '');
  return {
    seed: `${subdomain} ${number}`,
    patient: orNotFound(
      patients.find(({ PatientID }) => PatientID === study.patientId),
      'patient',
    ),
    studyDate,
    studyTime: study.time,
    accessionNumber: `${subdomain.charAt(0).toUpperCase()}${studyDate.slice(2)}-${String(number).padStart(2, '0')}`,
    referringPhysicianName: study.referrer,
  };
};

function* uploadsOf(files: Iterable<PhantomFile>) {
  for (const { name, bytes } of files) yield { name, body: Readable.from([bytes]) };
}

/**
 * Uploads a generated study and returns its StudyInstanceUID. It may run again without harm. Throws when a file is
 * refused, which would be our error.
 */
export const storeStudy = async (
  context: Context,
  sender: Session,
  study: DemoStudy,
  { subdomain, number, today }: { subdomain: string; number: number; today: Date },
): Promise<string> => {
  const files = makers[study.kind](optionsOf(study, subdomain, number, today));
  const { stored, refused } = await storeInstances(context, sender, uploadsOf(files));
  const [refusal] = refused;
  if (refusal) throw new Error(`A demo file was refused: ${refusal.reason}`);
  return orNotFound(stored[0], 'file').studyInstanceUID;
};
