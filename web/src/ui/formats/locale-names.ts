import { t } from '@lingui/core/macro';
import type { locales } from '@radwork/contract/identity/tenants';

/** Names of the languages that an organization can choose, as shown on screens. */
export const localeNames: Record<(typeof locales)[number], string> = {
  'en-GB': t`English (United Kingdom)`,
  'en-US': t`English (United States)`,
  'de-DE': t`German`,
  'de-CH': t`German (Switzerland)`,
  'es-ES': t`Spanish`,
  'fr-FR': t`French`,
  'it-IT': t`Italian`,
  'nl-NL': t`Dutch`,
  'pl-PL': t`Polish`,
  'pt-PT': t`Portuguese`,
  'ru-RU': t`Russian`,
  'tr-TR': t`Turkish`,
  'uk-UA': t`Ukrainian`,
  'zh-CN': t`Chinese`,
};
