/** Rules of a policy, by the kind of text that they allow. */
type Rules = { createHTML: (html: string) => string } | { createScriptURL: (url: string) => string };

/** TypeScript 7 has no types for Trusted Types. The objects that a policy creates are declared as text. */
type Factory = { createPolicy: <Policy extends Rules>(name: string, rules: Policy) => Policy };

/**
 * Names of the policies in this application. The content security policy lists each name
 * (server/src/core/http/web-pages.ts).
 */
type PolicyName = 'radwork-inert' | 'radwork-worker';

/** Creates a policy. In a browser without Trusted Types, the policy returns the checked text. */
export const createPolicy = <Policy extends Rules>(name: PolicyName, rules: Policy): Policy => {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy(name, rules) ?? rules;
};
