import { newId } from '#core/values/ids.ts';
import type { Tenant, World } from './world.ts';
import { openGateway } from '#imaging/dimse/gateway.ts';

export type Titles = { called: string; calling: string };

/** Creates a device with its own AE titles in a tenant. It may do everything by default. */
export const addDevice = async (world: World, tenant: Tenant, differences: object = {}): Promise<Titles> => {
  const titles = { called: `R${newId().slice(-12)}`, calling: `D${newId().slice(-12)}` };
  await world.inTenant(tenant, ({ db }) =>
    db
      .insertInto('application_entities')
      .values({
        id: newId(),
        called_ae_title: titles.called,
        calling_ae_title: titles.calling,
        may_store: true,
        may_read_worklist: true,
        may_query: true,
        may_ask_from_anywhere: true,
        ...differences,
      })
      .execute(),
  );
  return titles;
};

/** Opens a gateway for a test file on its own port and keeps its log lines. */
export const listenForDevices = async ({ context }: World) => {
  const logged: { facts: object; text: string }[] = [];
  const write = (facts: object, text: string) => void logged.push({ facts, text });
  const gateway = await openGateway(context, { port: 0, host: '127.0.0.1', log: { warn: write, error: write } });
  return { ...gateway, logged };
};
