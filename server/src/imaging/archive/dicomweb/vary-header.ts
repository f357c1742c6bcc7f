/**
 * Headers on which an answer depends besides the URL. Browser caches need them (RFC 9110 §12.5.5). A super
 * administrator uses one session in two organizations.
 */
export const varies = 'Accept, Authorization, X-Tenantid';
