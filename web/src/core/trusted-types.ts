/** What a policy makes of text, by the kind of place that it is for. */
type Rules = { createHTML: (html: string) => string } | { createScriptURL: (url: string) => string };

/** TypeScript 7 knows no Trusted Types: what a policy makes is an object that only those places take, typed as its text. */
type Factory = { createPolicy: <Policy extends Rules>(name: string, rules: Policy) => Policy };

/** The policies that we make; each is named in the content security policy of the pages (server/src/core/web-pages.ts). */
type PolicyName = 'radwork-inert' | 'radwork-worker';

/** A browser without Trusted Types takes the text itself, judged by the same rules. */
export const createPolicy = <Policy extends Rules>(name: PolicyName, rules: Policy): Policy => {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy(name, rules) ?? rules;
};
