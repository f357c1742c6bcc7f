const id = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const keyImageAddresses = new RegExp(`^/viewer/${id}\\?image=${id}$`);

/** Where a key image is seen as it was marked, on the server that the report is on. It says nothing but ids. */
export const keyImageAddress = (studyId: string, keyImageId: string): string =>
  `/viewer/${studyId}?image=${keyImageId}`;

export const isKeyImageAddress = (address: string): boolean => keyImageAddresses.test(address);

/**
 * Whether an address may be linked in a report (D-16): over a connection that nobody reads or changes on the way, as an
 * address to write to, or to a key image here. Links that were stored before this was so keep their address where they
 * are read.
 */
export const mayBeLinked = (address: string): boolean =>
  /^(?:https|mailto):/i.test(address) || isKeyImageAddress(address);
