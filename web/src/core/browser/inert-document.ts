import { createPolicy } from './trusted-types.ts';

/** Must not be exported: it accepts any HTML. The HTML is parsed but never shown. */
const policy = createPolicy('radwork-inert', { createHTML: (html) => html });

/**
 * Parses HTML into a document that runs no scripts, fetches nothing and is not shown. HTML for display goes through
 * reading/editor/reading/safe-html.ts.
 */
export const inertDocument = (html: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
