import { createPolicy } from './trusted-types.ts';

/** Never leaves this file: what it passes is parsed, and shown by no window. */
const policy = createPolicy('radwork-inert', { createHTML: (html) => html });

/** HTML as a document in which nothing is run, fetched or seen. What is to be shown goes through editor/safe-html.ts. */
export const inertDocument = (html: string): Document =>
  new DOMParser().parseFromString(policy.createHTML(html), 'text/html');
