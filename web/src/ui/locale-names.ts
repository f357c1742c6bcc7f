import type { locales } from '@radwork/contract/tenants';

/** Screen names of the languages that an organization can choose. */
export const localeNames: Record<(typeof locales)[number], string> = {
  'en-GB': 'English (United Kingdom)',
  'en-US': 'English (United States)',
  'de-DE': 'German',
  'de-CH': 'German (Switzerland)',
  'es-ES': 'Spanish',
  'fr-FR': 'French',
  'it-IT': 'Italian',
  'nl-NL': 'Dutch',
  'pl-PL': 'Polish',
  'pt-PT': 'Portuguese',
  'ru-RU': 'Russian',
  'tr-TR': 'Turkish',
  'uk-UA': 'Ukrainian',
  'zh-CN': 'Chinese',
};
