import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { systemSession } from '#core/access/scope.ts';
import { orNotFound } from '#core/http/problem.ts';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';
import { createObjects } from './stored-instances.ts';

const world = await createWorld();

test('a cached instance does not keep the whole database result in memory', async () => {
  const person = await world.signIn();
  const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
  await storeAs(person, image(uids));
  const { rows } = await world.sql<{ id: string; patientId: string; contentRevision: number }>`
    select id, patient_id as "patientId", content_revision as "contentRevision" from studies where study_instance_uid = ${uids.StudyInstanceUID}`.execute(
    world.owner,
  );

  const { frameIndex } = await createObjects(world.context).instance(
    systemSession(person.tenant.id),
    orNotFound(rows[0], 'study'),
    uids.SeriesInstanceUID,
    uids.SOPInstanceUID,
  );

  expect(frameIndex?.length).toBeGreaterThan(0);
  expect(frameIndex?.buffer.byteLength).toBe(frameIndex?.length);
});

test('a study cached for a user in one tenant is not found when the user visits another tenant', async () => {
  const visitor = await world.signIn('SUPER_ADMIN');
  const other = await world.newTenant();
  const StudyInstanceUID = newUid();
  await storeAs(visitor, image({ StudyInstanceUID }));
  // Simulates a working connection for access changes. Without the connection, nothing is cached.
  const sessions = { ...world.context.sessions, accessVersion: () => 1 };
  const objects = createObjects({ ...world.context, sessions });

  const study = await objects.study(visitor.session, StudyInstanceUID);
  const visiting = { ...visitor.session, homeTenantId: visitor.tenant.id, tenantId: other.id };

  expect(await objects.study(visitor.session, StudyInstanceUID)).toBe(study);
  await expect(objects.study(visiting, StudyInstanceUID)).rejects.toMatchObject({ status: 404 });
});
