/**
 * What an answer of the archive depends on besides its address, for the caches of browsers (RFC 9110 §12.5.5): a super
 * administrator is in two organisations with one session.
 */
export const varies = 'Accept, Authorization, X-Tenantid';
