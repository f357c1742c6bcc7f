import { type ReportLanguage, reportLanguages } from '@radwork/contract/report-sections';

/** The languages that can be dictated; the first is what somebody who never chose begins with. */
export const dictationLanguages = [
  'en-US',
  'en-GB',
  'en-AU',
  'en-CA',
  'es-ES',
  'fr-FR',
  'de-DE',
  'it-IT',
  'pt-BR',
  'zh-CN',
] as const;
export type DictationLanguage = (typeof dictationLanguages)[number];

/** What each is called by those who speak it. */
export const dictationLanguageNames: Record<DictationLanguage, string> = {
  'en-US': 'English (United States)',
  'en-GB': 'English (United Kingdom)',
  'en-AU': 'English (Australia)',
  'en-CA': 'English (Canada)',
  'es-ES': 'Español (España)',
  'fr-FR': 'Français (France)',
  'de-DE': 'Deutsch (Deutschland)',
  'it-IT': 'Italiano (Italia)',
  'pt-BR': 'Português (Brasil)',
  'zh-CN': '中文（普通话）',
};

/** The language without its country: what is said in it is the same in all of them. */
export const tongueOf = (language: DictationLanguage): ReportLanguage =>
  reportLanguages.find((tongue) => language.startsWith(tongue)) ?? 'en';
