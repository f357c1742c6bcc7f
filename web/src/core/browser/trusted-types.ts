/** Rules of a policy, by the kind of place that receives the text. */
type Rules = { createHTML: (html: string) => string } | { createScriptURL: (url: string) => string };

/** TypeScript 7 has no Trusted Types. What a policy makes is an object, typed here as text. */
type Factory = { createPolicy: <Policy extends Rules>(name: string, rules: Policy) => Policy };

/** Policies of this application. The content security policy names each (server/src/core/http/web-pages.ts). */
type PolicyName = 'radwork-inert' | 'radwork-worker';

/** Creates a policy. A browser without Trusted Types receives the checked text itself. */
export const createPolicy = <Policy extends Rules>(name: PolicyName, rules: Policy): Policy => {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy(name, rules) ?? rules;
};
