import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive.ts';
import { image } from '#test/upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

/** From now on, counts the transactions that are under way at once. */
const countTransactions = () => {
  const { scopes } = world.context;
  const { inTenant } = scopes;
  const counted = { now: 0, most: 0 };
  scopes.inTenant = async (...asked) => {
    counted.now += 1;
    counted.most = Math.max(counted.most, counted.now);
    return inTenant(...asked).finally(() => {
      counted.now -= 1;
    });
  };
  return counted;
};

test('a study of many series leaves database connections to everybody else while its metadata is put together', async () => {
  const person = await world.signIn();
  const study = { StudyInstanceUID: newUid(), PatientID: 'P-1' };
  await storeAs(person, ...Array.from({ length: 30 }, () => image(study)));
  const counted = countTransactions();

  const answer = await getFrom(person, `/studies/${study.StudyInstanceUID}/metadata`);

  expect(answer.json()).toHaveLength(30);
  expect(counted.most).toBeLessThanOrEqual(4);
});
