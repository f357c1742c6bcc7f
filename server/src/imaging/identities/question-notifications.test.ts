import { notifications } from '@radwork/contract/identity/notifications';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { identitySteps, maria, piotr } from '#test/identity-steps.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { mixed } = identitySteps(world);

const identityNotices = async (person: Person) => {
  const { data } = await person.send(notifications.list, { query: {} });
  return data.content.filter(({ type }) => type === 'IDENTITY');
};

test('notifies only users who may decide identity questions, and names patient and study', async () => {
  const { admin, radiologist, study } = await mixed();

  expect(await identityNotices(admin)).toMatchObject([
    {
      title: 'Confirm the identity of a study',
      link: '/identities',
      study: { id: study.id, patientName: 'Kowalski, Piotr' },
    },
  ]);
  expect(await identityNotices(radiologist)).toEqual([]);
});

test('the notification of a question contains no patient name, and nothing is sent outside the application', async () => {
  const { admin } = await mixed();

  const [notice] = await identityNotices(admin);
  const messages = await admin.inScope(({ db }) => db.selectFrom('outbound_messages').selectAll().execute());

  expect(`${notice?.title} ${notice?.message}`).not.toMatch(/Alpha|Maria|Kowalski|Piotr|P-1/);
  expect(messages).toEqual([]);
});

test('many images of one study with an identity question cause only one notification', async () => {
  const admin = await world.signIn('ADMIN');
  const StudyInstanceUID = newUid();
  await storeAs(admin, image(maria));
  await storeAs(admin, ...[1, 2, 3].map(() => image({ ...piotr, StudyInstanceUID })));
  await storeAs(admin, image({ ...piotr, StudyInstanceUID }));

  expect(await identityNotices(admin)).toHaveLength(1);
});
