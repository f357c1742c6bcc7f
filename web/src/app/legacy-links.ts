/**
 * The path that an address of the older kind means: "/#/portal/report/{hash}" is "/portal/report/{hash}". Undefined
 * for every other address, so that no link can send somebody elsewhere.
 */
export const pathOfLegacyLink = (hash: string): string | undefined => /^#(\/portal\/report\/[\w-]+)$/.exec(hash)?.[1];
