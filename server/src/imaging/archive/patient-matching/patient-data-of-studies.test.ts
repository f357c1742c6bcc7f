import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { patientDataOfFirstImages } from './patient-data-of-studies.ts';

const world = await createWorld();

test.each([
  ['113001', 'Doe^Jane'],
  ['113038', 'Doe^J'],
] as const)('after a rejection as %s, the patient data of a study are those of %s', async (title, name) => {
  const admin = await world.signIn('ADMIN');
  const [StudyInstanceUID, SeriesInstanceUID] = [newUid(), newUid()];
  const jane = { StudyInstanceUID, PatientID: 'P-1' };
  await storeAs(admin, image({ ...jane, SeriesInstanceUID, PatientName: 'Doe^Jane' }));
  await storeAs(admin, image({ ...jane, PatientName: 'Doe^J' }));
  const { data: study } = await admin.send(studies.getByUid, { params: { studyUid: StudyInstanceUID } });
  const body = { seriesInstanceUID: SeriesInstanceUID, title };
  await admin.send(rejections.reject, { params: { id: study.id }, body });

  const found = await admin.inScope((scope) => patientDataOfFirstImages(scope, [study.id]));

  expect(found).toMatchObject([{ patientData: { patient_name: name } }]);
});
