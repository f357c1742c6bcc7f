import { explicitLittleEndian, implicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { sql } from 'kysely';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { type FoundInstance, queryingSession } from './archive-queries.ts';
import type { Device } from './devices.ts';
import type { OpenedAssociation, AssociationProposal } from './open-association.ts';
import type { RemoteAddress } from './remote-address.ts';
import { type Outcome, sendObject, type SendContext, SentInPart } from './send-instances.ts';

/**
 * Finds the device with this AE title, if its address and port are known. Prefers a device that calls us by the same
 * title as the requesting device.
 */
export const destinationOf = async ({ scopes }: Pick<Wado, 'scopes'>, device: Device, title: string) =>
  scopes.inTenant(queryingSession(device), async ({ db }) => {
    const tenant = await db.selectFrom('tenants').select(['id', 'subdomain']).executeTakeFirstOrThrow();
    const row = await db
      .selectFrom('application_entities')
      .select(['called_ae_title', sql<string>`host(host)`.as('address'), 'port'])
      .where('calling_ae_title', '=', title)
      .where('is_active', '=', true)
      .where('host', 'is not', null)
      .where('port', 'is not', null)
      .orderBy((expression) => expression('called_ae_title', '<>', device.calledAeTitle))
      .orderBy('id')
      .executeTakeFirst();
    const peer: RemoteAddress | undefined = row?.port
      ? { host: row.address, port: row.port, calledAeTitle: title, callingAeTitle: row.called_ae_title }
      : undefined;
    return { tenant, peer };
  });

const mostContexts = 128;

/**
 * Proposes each SOP class in each stored transfer syntax and uncompressed. Always includes the default transfer syntax
 * (PS3.5 §10.1).
 */
export const contextsFor = (objects: readonly FoundInstance[]): AssociationProposal => {
  const byClass = Map.groupBy(objects, ({ sopClassUid }) => sopClassUid);
  const contexts = [...byClass].flatMap(([abstractSyntax, ofClass]) => {
    const stored = ofClass.map(({ transferSyntaxUid }) => transferSyntaxUid);
    const syntaxes = new Set([...stored, explicitLittleEndian.uid, implicitLittleEndian.uid]);
    return [...syntaxes].map((syntax) => ({ abstractSyntax, transferSyntaxes: [syntax] }));
  });
  return { contexts: contexts.slice(0, mostContexts) };
};

/**
 * Returns functions that send instances to a destination. The association opens with the first instance. After an
 * instance that was sent only in part, the next instance uses a new association. Throws RemoteError for faults of the
 * destination or the network.
 */
export const sendingTo = (open: () => Promise<OpenedAssociation>, sending: Omit<SendContext, 'association'>) => {
  let opened: OpenedAssociation | undefined;

  const breakOff = (): void => {
    opened?.breakOff();
    opened = undefined;
  };

  return {
    send: async (object: FoundInstance): Promise<Outcome> => {
      opened ??= await open();
      const { association, inWords } = opened;
      try {
        return await sendObject({ ...sending, association }, object);
      } catch (error) {
        if (!(error instanceof SentInPart)) throw inWords(error);
        breakOff();
        return 'failed';
      }
    },
    close: async (): Promise<void> => opened?.close(),
    breakOff,
  };
};
