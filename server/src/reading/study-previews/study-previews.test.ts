import { studyPreviews } from '@radwork/contract/reading/study-previews';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { audited } = workSteps(world);

const text = '<h2>Findings</h2><p>Small nodule.</p><h2>Impression</h2><p>Nodule of 4 mm.</p><p>Control in a year.</p>';

const preview = (person: Person, id: string) => person.send(studyPreviews.read, { params: { id } });

/** Adds a patient with a current study, and a prior with a report of this status. */
const patientWithPrior = async (person: Person, status: 'DRAFT' | 'FINALIZED') =>
  world.inTenant(person.tenant, async (scope) => {
    const patient = { id: newId(), patient_id: newId() };
    const current = await addStudy(scope, { patient, clinical_history: 'Cough since May' });
    const prior = await addStudy(scope, { patient, description: 'CT chest', study_date: '2025-03-01T08:00:00' });
    await scope.db
      .insertInto('reports')
      .values({
        id: newId(),
        study_id: prior.id,
        author_id: person.userId,
        content: text,
        status,
        ...(status === 'FINALIZED' && {
          content_hash: Buffer.alloc(32),
          finalized_at: '2025-03-01T10:00:00Z',
          finalized_by: person.userId,
        }),
      })
      .execute();
    return { current: current.id, prior: prior.id };
  });

test('a preview shows the history and the impression of the prior, and is audited', async () => {
  const reader = await world.signIn();
  const { current, prior } = await patientWithPrior(reader, 'FINALIZED');

  const { data } = await preview(reader, current);

  expect(data).toEqual({
    clinicalHistory: 'Cough since May',
    keyImage: null,
    keyImageCount: 0,
    prior: {
      id: prior,
      studyDate: '2025-03-01T08:00:00',
      modality: 'CT',
      description: 'CT chest',
      impression: 'Nodule of 4 mm.\nControl in a year.',
    },
  });
  await expect.poll(() => audited(reader, 'study.preview')).toMatchObject([{ study_id: current }]);
});

test('a preview never shows the text of an unsigned report', async () => {
  const reader = await world.signIn();
  const { current } = await patientWithPrior(reader, 'DRAFT');

  expect((await preview(reader, current)).data.prior).toBeNull();
});

test('a referring physician previews own studies only, without priors of others', async () => {
  const reader = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const { current, prior } = await patientWithPrior(reader, 'FINALIZED');
  await world.inTenant(reader.tenant, ({ db }) =>
    db
      .insertInto('study_participants')
      .values({ study_id: current, user_id: referrer.userId, role: 'REFERRER' })
      .execute(),
  );

  expect((await preview(referrer, current)).data.prior).toBeNull();
  expect(await preview(referrer, prior)).toMatchObject({ code: 404 });
});
