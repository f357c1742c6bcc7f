import type { Config } from '#core/config/config.ts';

/** One year, with subdomains (ASVS 5.0 3.4.1). During this year, the browser uses only https. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** The content security policy of a reply that is not a page. */
export const closedPolicy = { 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` };
export const notCached = { 'cache-control': 'no-store' };

/** Headers of every reply. */
export const commonHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), payment=()',
  ...(publicUrl?.startsWith('https:') && strictTransport),
});

/** Headers of a reply that is not a page and must not be cached. */
export const secureHeadersFor = (settings: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...commonHeaders(settings),
  ...closedPolicy,
  ...notCached,
});
