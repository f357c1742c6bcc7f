import { gunzipSync, gzipSync } from 'node:zlib';
import { newUid } from '@radwork/dicom/uid';
import { expect, test } from 'vitest';
import { getFrom, storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

const world = await createWorld();

/**
 * Creates a user with a study of several series. Their headers are stored compressed and are much larger when unpacked.
 */
const withLargeHeaders = async (count: number, headerBytes: number) => {
  const person = await world.signIn();
  const study = { StudyInstanceUID: newUid(), PatientID: 'P-1' };
  await storeAs(person, ...Array.from({ length: count }, (_, index) => image({ ...study, InstanceNumber: index })));
  const header = { '00104000': { vr: 'LT', Value: ['x'.repeat(headerBytes)] } };
  await world.owner
    .updateTable('instances')
    .set({ metadata: gzipSync(JSON.stringify(header)) })
    .where('tenant_id', '=', person.tenant.id)
    .execute();
  return { person, path: `/studies/${study.StudyInstanceUID}` };
};

/** Counts the transactions that run in parallel from now on. */
const countTransactions = () => {
  const { scopes } = world.context;
  const { inTenant } = scopes;
  const counted = { now: 0, most: 0 };
  scopes.inTenant = async (...args) => {
    counted.now += 1;
    counted.most = Math.max(counted.most, counted.now);
    return inTenant(...args).finally(() => {
      counted.now -= 1;
    });
  };
  return counted;
};

test('a metadata request for many series leaves database connections for other requests', async () => {
  const person = await world.signIn();
  const study = { StudyInstanceUID: newUid(), PatientID: 'P-1' };
  await storeAs(person, ...Array.from({ length: 30 }, () => image(study)));
  const counted = countTransactions();

  const answer = await getFrom(person, `/studies/${study.StudyInstanceUID}/metadata`);

  expect(answer.json()).toHaveLength(30);
  expect(counted.most).toBeLessThanOrEqual(4);
});

test('decompresses very large metadata while it is sent, and sends it complete', async () => {
  const { person, path } = await withLargeHeaders(3, 30 << 20);

  const packed = await getFrom(person, `${path}/metadata`, { 'accept-encoding': 'gzip' });
  const plain = await getFrom(person, `${path}/metadata`);

  expect(packed.rawPayload.length).toBeLessThan(1 << 20);
  expect(plain.headers['content-length']).toBeUndefined();
  expect(plain.rawPayload.equals(gunzipSync(packed.rawPayload))).toBe(true);
  expect(plain.rawPayload.length).toBeGreaterThan(90 << 20);
  expect(plain.rawPayload.subarray(-3).toString()).toBe('}}]');
});

test('a search over large headers returns as many results as fit, and announces that there are more', async () => {
  const { person, path } = await withLargeHeaders(3, 30 << 20);

  const search = (offset: number) =>
    person.request({ method: 'GET', url: `/api/qido-rs${path}/instances?includefield=all&offset=${offset}` });

  const [first, next] = [await search(0), await search(2)];

  expect([first.json().length, first.headers['warning']]).toEqual([
    2,
    '299 radwork "There are additional results that can be requested"',
  ]);
  expect([next.json().length, next.headers['warning']]).toEqual([1, undefined]);
});
