/**
 * Converts the path of an old share link, "/#/portal/report/{hash}", to "/portal/report/{hash}". Undefined for other
 * addresses, so that no link can redirect elsewhere.
 */
export const pathOfLegacyLink = (hash: string): string | undefined => /^#(\/portal\/report\/[\w-]+)$/.exec(hash)?.[1];
