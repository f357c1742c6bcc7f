import type { Config } from './config.ts';

/** A year, and for what is below the name as well (ASVS 5.0 3.4.1): a browser that was here once asks by https alone. */
const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };

/** The policy of an answer that is no page. */
export const closedPolicy = { 'content-security-policy': `default-src 'none'; frame-ancestors 'none'` };
export const neverKept = { 'cache-control': 'no-store' };

/** Headers of every answer. */
export const standingHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'microphone=(self), camera=(), geolocation=(), payment=()',
  ...(publicUrl?.startsWith('https:') && strictTransport),
});

/** Those of an answer that is neither a page nor kept. */
export const secureHeadersFor = (settings: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...standingHeaders(settings),
  ...closedPolicy,
  ...neverKept,
});
