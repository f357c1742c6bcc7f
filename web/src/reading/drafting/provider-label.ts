import { t } from '@lingui/core/macro';
import type { WritingSettings } from '@radwork/contract/reading/reporting-settings';

type Provider = WritingSettings['drafting'];

/** Formats the name of a provider: "Google Gemini · gemini-flash", "Built-in drafter · rule-based". */
export const providerLabel = ({ providerName, model, isRuleBased }: Provider): string =>
  [providerName, isRuleBased ? t`rule-based` : model].filter(Boolean).join(' · ');

/** Explains where the text of a draft request is sent. */
export const whereTextGoes = ({ whereTextGoes: host, isRuleBased }: Provider): string =>
  isRuleBased
    ? t`Rule-based drafting arranges your own text. No text leaves this server.`
    : t`Text is sent to ${host} without patient names, dates and numbers.`;
