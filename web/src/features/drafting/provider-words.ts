import type { WritingSettings } from '@radwork/contract/reporting-settings';

type Provider = WritingSettings['drafting'];

/** Formats a provider: "Google Gemini · gemini-flash", "Built-in drafter · rule-based". */
export const providerLabel = ({ providerName, model, isRuleBased }: Provider): string =>
  [providerName, isRuleBased ? 'rule-based' : model].filter(Boolean).join(' · ');

/** Explains where a text goes. */
export const whereTextGoes = ({ whereTextGoes: host, isRuleBased }: Provider): string =>
  isRuleBased
    ? 'Drafting is rule-based: it arranges your own words. No text leaves this server.'
    : `Text leaves for ${host}, without names, dates and numbers of the patient.`;
