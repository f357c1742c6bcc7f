const id = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const keyImageAddresses = new RegExp(`^/viewer/${id}\\?image=${id}$`);

/** Returns the path of a key image on the same server. It contains only IDs. */
export const keyImageAddress = (studyId: string, keyImageId: string): string =>
  `/viewer/${studyId}?image=${keyImageId}`;

export const isKeyImageAddress = (address: string): boolean => keyImageAddresses.test(address);

/**
 * Whether a report may link to an address: https, mailto, or a key image on this server. Links stored before this rule
 * existed still work when a user reads the report.
 */
export const mayBeLinked = (address: string): boolean =>
  /^(?:https|mailto):/i.test(address) || isKeyImageAddress(address);
