/**
 * Path of an old share link: "/#/portal/report/{hash}" becomes "/portal/report/{hash}". Undefined for other addresses,
 * so no link can redirect elsewhere.
 */
export const pathOfLegacyLink = (hash: string): string | undefined => /^#(\/portal\/report\/[\w-]+)$/.exec(hash)?.[1];
