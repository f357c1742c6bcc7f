import { expect, test } from 'vitest';
import { addDevice, type Titles } from '#test/dimse-device.ts';
import { createWorld } from '#test/world.ts';
import { findDevice } from './devices.ts';

const world = await createWorld();
const { config, scopes } = world.context;
const dimseTls = { certFile: 'gateway.pem', keyFile: 'gateway.key', caFile: undefined };

const rightsOf = async ({ called, calling }: Titles, tls?: typeof config.dimseTls) => {
  const caller = { calledAeTitle: called, callingAeTitle: calling, address: '203.0.113.5' };
  const device = await findDevice({ scopes, config: { ...config, dimseTls: tls } }, caller);
  if (typeof device === 'string') throw new Error(device);
  const { mayStore, mayReadWorklist, mayQuery } = device;
  return { mayStore, mayReadWorklist, mayQuery };
};

test('knowing the AE titles is not enough for a device to search or to read the worklist', async () => {
  const tenant = await world.newTenant();
  const open = await addDevice(world, tenant, { may_ask_from_anywhere: false });
  const bound = await addDevice(world, tenant, { may_ask_from_anywhere: false, host: '203.0.113.5' });
  const allowed = await addDevice(world, tenant, { may_ask_from_anywhere: true });
  const sendsOnly = { mayStore: true, mayReadWorklist: false, mayQuery: false };
  const everything = { mayStore: true, mayReadWorklist: true, mayQuery: true };

  expect(await rightsOf(open)).toEqual(sendsOnly);
  expect(await rightsOf(open, dimseTls)).toEqual(sendsOnly);
  expect(await rightsOf(open, { ...dimseTls, caFile: 'authority.pem' })).toEqual(everything);
  expect(await rightsOf(bound)).toEqual(everything);
  expect(await rightsOf(allowed)).toEqual(everything);
});
