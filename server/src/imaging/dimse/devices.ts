import { isIP } from 'node:net';
import { sql } from 'kysely';
import type { Context } from '#core/context.ts';
import { type Session, systemSession } from '#core/access/scope.ts';

/** A device that may connect, with its tenant and rights. */
export type Device = {
  id: string;
  tenantId: number;
  calledAeTitle: string;
  callingAeTitle: string;
  address: string;
  mayStore: boolean;
  mayReadWorklist: boolean;
  mayQuery: boolean;
  /** The group of its studies, to which its queries are limited; null for all studies. */
  groupId: string | null;
};

/** The device that requests an association. */
export type Caller = Pick<Device, 'calledAeTitle' | 'callingAeTitle' | 'address'>;

type Row = {
  is_called_known: boolean;
  tenant_id: number | null;
  id: string;
  may_store: boolean;
  may_read_worklist: boolean;
  may_query: boolean;
  is_bound: boolean;
  group_id: string | null;
};

const isTitle = (text: string) => /^[\x20-\x7e]{1,16}$/.test(text);

/**
 * Finds the device, or returns which of the two AE titles is unknown. Titles alone do not allow reading. To read, a
 * device also needs a fixed address, a client certificate that the gateway requires of all devices, or an
 * administrator's permission.
 */
export const findDevice = async (
  { scopes, config }: Pick<Context, 'scopes' | 'config'>,
  caller: Caller,
): Promise<Device | 'UNKNOWN_CALLED' | 'UNKNOWN_CALLING'> => {
  const { calledAeTitle, callingAeTitle, address } = caller;
  if (!isTitle(calledAeTitle)) return 'UNKNOWN_CALLED';
  if (!isTitle(callingAeTitle) || !isIP(address)) return 'UNKNOWN_CALLING';
  const { rows } = await scopes.withoutTenant((db) =>
    sql<Row>`select * from find_application_entity(${calledAeTitle}, ${callingAeTitle}, ${address}::inet)`.execute(db),
  );
  const [row] = rows;
  if (!row || row.tenant_id === null) return row?.is_called_known ? 'UNKNOWN_CALLING' : 'UNKNOWN_CALLED';
  const mayRead = row.is_bound || config.dimseTls?.caFile !== undefined;
  return {
    ...caller,
    id: row.id,
    tenantId: row.tenant_id,
    mayStore: row.may_store,
    mayReadWorklist: mayRead && row.may_read_worklist,
    mayQuery: mayRead && row.may_query,
    groupId: row.group_id,
  };
};

/** Milliseconds until the rights of a device are read again. */
const trustedFor = 10_000;

/** Repeats a check at most once in `trustedFor` milliseconds. */
export const repeatAtMostEvery = (task: () => Promise<void>): (() => Promise<void>) => {
  let requestedAt = Date.now();
  return async () => {
    if (Date.now() - requestedAt < trustedFor) return;
    await task();
    requestedAt = Date.now();
  };
};

/**
 * The session of a device that stores in its tenant. It has no user and no permission. The audit log shows the AE title.
 */
export const sessionOf = ({ tenantId, callingAeTitle, address, groupId }: Device): Session => ({
  ...systemSession(tenantId, address),
  username: callingAeTitle,
  name: callingAeTitle,
  ...(groupId !== null && { newStudyGroups: [groupId] }),
});

/** The session of a device that reads. A device with a group sees only the studies of the group. */
export const readingSessionOf = (device: Device): Session => ({
  ...sessionOf(device),
  studyGroups: device.groupId === null ? null : [device.groupId],
});

/** Stores when the device last connected, at most once a minute. */
export const touchDevice = ({ scopes }: Pick<Context, 'scopes'>, device: Device): Promise<unknown> =>
  scopes.inTenant(sessionOf(device), ({ db }) =>
    db
      .updateTable('application_entities')
      .set({ last_seen_at: sql`now()` })
      .where('id', '=', device.id)
      .where((where) =>
        where.or([
          where('last_seen_at', 'is', null),
          where('last_seen_at', '<', sql<string>`now() - interval '1 minute'`),
        ]),
      )
      .execute(),
  );
