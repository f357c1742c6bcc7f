import { isUnderWay, reportDeliveries, type ReportDelivery } from '@radwork/contract/reading/report-delivery';
import { newId } from '#core/values/ids.ts';
import { sealSecrets, type SecretName } from '#imaging/remote-archives/stored-configuration.ts';
import { eventually } from './eventually.ts';
import type { Person, World } from './world.ts';

const noSecrets = { password: '', token: '', apiKey: '', apiSecret: '' };

/** Steps to send reports, over HTTP. */
export const deliverySteps = (world: Pick<World, 'inTenant' | 'context'>) => ({
  /** Configures a FHIR server that all users of the tenant can use. */
  configureFhir: (
    person: Person,
    url: string,
    columns: Record<string, string> = {},
    secrets: Partial<Record<SecretName, string>> = {},
  ): Promise<string> =>
    world.inTenant(person.tenant, async ({ db }) => {
      const id = newId();
      const sealed = sealSecrets(
        world.context.vault,
        { tenant_id: person.tenant.id, id },
        { ...noSecrets, ...secrets },
      );
      await db
        .insertInto('remote_configurations')
        .values({ id, ae_title: 'HOSPITAL', protocol: 'FHIR', base_url: url, auth_type: 'NONE', ...columns, ...sealed })
        .execute();
      return id;
    }),

  send: (person: Person, config: string, reportId: string) =>
    person.send(reportDeliveries.send, { query: { config, reportId } }),

  deliveries: async (person: Person, reportId: string): Promise<ReportDelivery[]> => {
    const { data } = await person.send(reportDeliveries.list, { params: { id: reportId } });
    return data;
  },

  /** Returns the only delivery of a report once it has ended. */
  delivered: (person: Person, reportId: string): Promise<ReportDelivery> =>
    eventually(async () => {
      const { data } = await person.send(reportDeliveries.list, { params: { id: reportId } });
      const [delivery] = data;
      if (!delivery || isUnderWay(delivery.state)) throw new Error(`The delivery is still ${delivery?.state}`);
      return delivery;
    }),
});
