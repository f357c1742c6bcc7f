import { reportChecks } from '@radwork/contract/reading/report-checks';
import { studies } from '@radwork/contract/imaging/studies';
import { templateFacts } from '@radwork/contract/reading/templates';
import type { Elements } from '@radwork/dicom/part10';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { orNotFound } from '#core/http/problem.ts';
import { identifiersOfStudy } from '#reading/drafting/known-identifiers.ts';
import { createIdentifierMarks } from '#reading/drafting/withhold-identifiers.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { storeAs } from '#test/archive-calls.ts';
import { identitySteps, maria, piotr, studyOf } from '#test/identity-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { decide } = identitySteps(world);

const chest = { BodyPartExamined: 'CHEST', StudyDescription: 'CT chest', Modality: 'CT' };

/** A CT of one day. It contains one image for each given set of patient data. */
const studyWith = async (admin: Person, StudyDate: string, ...patients: Elements[]) => {
  const StudyInstanceUID = newUid();
  for (const patient of patients) await storeAs(admin, image({ ...chest, StudyInstanceUID, StudyDate, ...patient }));
  return studyOf(admin, StudyInstanceUID);
};

const dayOf = (moment: string | null) => orNotFound(moment ?? undefined, 'study').slice(0, 10);

/** For each feature that compares a study with others, returns the dates of those other studies. */
const comparedWith = async ({ tenant }: Person, id: string) => {
  const person = await world.signIn('RADIOLOGIST', tenant);
  const [newest, relevant, facts, checks] = await Promise.all([
    person.send(studies.priors, { params: { id } }),
    person.send(studies.priors, { params: { id }, query: { order: 'relevance' } }),
    person.send(templateFacts.ofStudy, { params: { id } }),
    person.send(reportChecks.facts, { params: { id } }),
  ]);
  return {
    priors: newest.data.map(({ studyDate }) => dayOf(studyDate)),
    hanging: relevant.data.map(({ studyDate }) => dayOf(studyDate)),
    mergeField: facts.data.values['comparison.date'],
    checks: checks.data.priorDates,
  };
};

const none = { priors: [], hanging: [], mergeField: null, checks: [] };
const only = (day: string) => ({ priors: [day], hanging: [day], mergeField: day, checks: [day] });

test("a provisional patient and the patient with the ID never get each other's studies as priors", async () => {
  const admin = await world.signIn('ADMIN');
  const ofMaria = await studyWith(admin, '20240101', maria);
  const ofPiotr = await studyWith(admin, '20250101', piotr);
  const later = await studyWith(admin, '20260101', maria);

  expect(await comparedWith(admin, ofPiotr.id)).toEqual(none);
  expect(await comparedWith(admin, later.id)).toEqual(only('2024-01-01'));
  expect(ofMaria.identity).toBeNull();
});

test('a study with images of two people has no priors and is never a prior', async () => {
  const admin = await world.signIn('ADMIN');
  await studyWith(admin, '20240101', maria);
  const mixed = await studyWith(admin, '20250101', maria, piotr);
  const later = await studyWith(admin, '20260101', maria);

  expect(mixed.identity).not.toBeNull();
  expect(await comparedWith(admin, mixed.id)).toEqual(none);
  expect(await comparedWith(admin, later.id)).toEqual(only('2024-01-01'));

  await decide(admin, 'SAME_PERSON');
  expect(await comparedWith(admin, later.id)).toMatchObject({
    priors: ['2025-01-01', '2024-01-01'],
    mergeField: '2025-01-01',
    checks: ['2025-01-01', '2024-01-01'],
  });
});

test('the merge fields of a study with an identity question use only the patient record of the study', async () => {
  const admin = await world.signIn('ADMIN');
  await studyWith(admin, '20240101', { ...maria, PatientBirthDate: '19700131' });
  const { id } = await studyWith(admin, '20250101', { ...piotr, PatientSex: '', PatientBirthDate: '' });
  const radiologist = await world.signIn('RADIOLOGIST', admin.tenant);

  const { data } = await radiologist.send(templateFacts.ofStudy, { params: { id } });

  expect(data.values).toMatchObject({ 'patient.name': 'Kowalski, Piotr', 'patient.birthDate': null });
  expect(JSON.stringify(data)).not.toMatch(/Alpha|Maria|1970/);
});

test('a text for a language model contains the names of neither person whom the images may show', async () => {
  const admin = await world.signIn('ADMIN');
  const mixed = await studyWith(admin, '20250101', maria, piotr);

  const known = await admin.inScope(async (scope) => identifiersOfStudy(scope, await studyById(scope, mixed.id)));
  const { replaceIdentifiers } = createIdentifierMarks(known);

  expect(replaceIdentifiers('Piotr Kowalski, or Maria Alpha?')).not.toMatch(/Piotr|Kowalski|Maria|Alpha/);
});
