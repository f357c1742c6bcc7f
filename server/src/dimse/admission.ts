import { networkOf } from '#core/network-of.ts';

export type Admission = ReturnType<typeof createAdmission>;

/** Who is refused more often than this in a minute is not listened to for the rest of it. */
const mostRefusals = 20;

/**
 * Associations under way, counted, so that neither one tenant nor one address takes all that there are. Addresses of
 * one IPv6 network count as one, since whoever has one of them has them all.
 */
export const createAdmission = (mostAssociations: number) => {
  const counts = new Map<string, number>();
  const refusals = new Map<string, number>();
  let minute = 0;

  /** Answers how to leave again; undefined when there is no room. */
  const enter = (key: string, most: number): (() => void) | undefined => {
    const count = counts.get(key) ?? 0;
    if (count >= most) return undefined;
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    };
  };

  const refusalsOf = (network: string): number => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) refusals.clear();
    minute = now;
    return refusals.get(network) ?? 0;
  };

  return {
    /** A connection from an address. */
    connection: (address: string): (() => void) | undefined => {
      const network = networkOf(address);
      if (refusalsOf(network) >= mostRefusals) return undefined;
      const leaveNetwork = enter(`network ${network}`, Math.ceil(mostAssociations / 4));
      const leaveServer = leaveNetwork && enter('server', mostAssociations);
      if (!leaveServer) leaveNetwork?.();
      return (
        leaveServer &&
        (() => {
          leaveServer();
          leaveNetwork?.();
        })
      );
    },

    /** An association of a tenant, once it is known whose it is. */
    association: (tenantId: number): (() => void) | undefined =>
      enter(`tenant ${tenantId}`, Math.ceil(mostAssociations / 2)),

    /** Remembers that an address was turned away, so that titles cannot be tried one after the other. */
    refused: (address: string): void => {
      const network = networkOf(address);
      refusals.set(network, refusalsOf(network) + 1);
    },
  };
};
