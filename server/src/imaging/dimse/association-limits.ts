import { networkOf } from '#core/http/network-of-address.ts';

export type AssociationLimits = ReturnType<typeof createAssociationLimits>;

/** Refusals per minute. Above this number, connections from the same network are closed for the rest of the minute. */
const mostRefusals = 20;

/**
 * Limits connections for each network and in total, and associations for each tenant. All addresses of one IPv6 network
 * count together, because one sender may use any of them.
 */
export const createAssociationLimits = (mostAssociations: number) => {
  const counts = new Map<string, number>();
  const refusals = new Map<string, number>();
  let minute = 0;

  /**
   * Counts one more connection or association under a key and returns a function that releases it. Returns undefined
   * above `most`.
   */
  const enter = (key: string, most: number): (() => void) | undefined => {
    const count = counts.get(key) ?? 0;
    if (count >= most) return undefined;
    counts.set(key, count + 1);
    return () => {
      const remaining = (counts.get(key) ?? 1) - 1;
      if (remaining > 0) counts.set(key, remaining);
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
    /**
     * Counts a connection and returns a function that releases it. Undefined if the network or the server has too many.
     */
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

    /** Counts an association of a known tenant and returns a function that releases it. Undefined above the limit. */
    association: (tenantId: number): (() => void) | undefined =>
      enter(`tenant ${tenantId}`, Math.ceil(mostAssociations / 2)),

    /** Counts a refusal, so that a sender cannot guess AE titles. */
    refused: (address: string): void => {
      const network = networkOf(address);
      refusals.set(network, refusalsOf(network) + 1);
    },
  };
};
