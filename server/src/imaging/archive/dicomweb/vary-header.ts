/**
 * Headers that affect an answer besides its address, for browser caches (RFC 9110 §12.5.5). A super administrator uses
 * one session in two organizations.
 */
export const varies = 'Accept, Authorization, X-Tenantid';
