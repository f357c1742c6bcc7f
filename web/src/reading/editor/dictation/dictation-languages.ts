import { type ReportLanguage, reportLanguages } from '@radwork/contract/reading/report-sections';

/** Languages for dictation. The first is the default. */
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

/** Native name of each language. */
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

/** Returns the language without its country. The commands of a language are the same in all countries. */
export const tongueOf = (language: DictationLanguage): ReportLanguage =>
  reportLanguages.find((tongue) => language.startsWith(tongue)) ?? 'en';
