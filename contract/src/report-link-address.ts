/**
 * Whether an address may be linked in a report (D-16): over a connection that nobody reads or changes on the way, or as
 * an address to write to. Links that were stored before this was so keep their address where they are read.
 */
export const mayBeLinked = (address: string): boolean => /^(?:https|mailto):/i.test(address);
