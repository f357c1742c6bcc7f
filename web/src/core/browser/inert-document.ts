import { createPolicy } from './trusted-types.ts';

/** Must not leave this file: it accepts any HTML, which is parsed but never shown. */
const policy = createPolicy('radwork-inert', { createHTML: (html) => html });

/**
 * Parses HTML into a document that runs, fetches and shows nothing. HTML for display goes through reading/editor/reading/safe-html.ts.
 */
export const inertDocument = (html: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
