import { i18n } from '@lingui/core';
import { installTranslation, type Translate } from '@radwork/contract/core/translate';

/**
 * Activates the language of the page before any other module runs: modules translate their labels once. A change of the
 * language therefore reloads the page. English sentences are in the source and need no catalog; the server inserts the
 * catalog of another language into the page (server/src/core/http/page-language.ts).
 */
const { radworkMessages = {} } = globalThis as { radworkMessages?: Record<string, string> };
const language = document.documentElement.lang || 'en';

/** Pseudo-languages of the tests (lingui.config.ts) write dates and numbers as English does. */
const isEnglish = ['en', 'en-XA', 'ar-XB'].includes(language);

/** The locale of dates and numbers (BCP 47). English pages write them as in the United States. */
export const locale = isEnglish ? 'en-US' : language;

/** The direction in which the page is written. The server sets it with the language. */
export const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';

/** Splits a plain sentence at its values ("{name}"). The build has compiled all others (build/compile-messages.ts). */
const splitAtValues = (message: string): string | (string | [string])[] =>
  message.includes('{') ? message.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : [part])) : message;

i18n.setMessagesCompiler((message) => splitAtValues(message) as never);
i18n.load(language, radworkMessages);
i18n.activate(language);

/** Messages and labels of the contract fall back to English themselves. */
const ofContract: Translate = (message, values) =>
  Object.hasOwn(radworkMessages, message) ? i18n._(message, values) : undefined;
installTranslation(ofContract, ofContract);
