import { i18n } from '@lingui/core';
import { installTranslation, type Translate } from '@radwork/contract/core/translate';

/**
 * Activates the language of the page before any other module runs. Modules translate their labels only once, so a
 * change of the language reloads the page. English sentences are in the source and need no catalog. For another
 * language, the server inserts the catalog into the page (server/src/core/http/page-language.ts).
 */
const { radworkMessages = {} } = globalThis as { radworkMessages?: Record<string, string> };
const language = document.documentElement.lang || 'en';

/**
 * Whether the page is English or a pseudo-language of the tests (lingui.config.ts), which formats dates and numbers as
 * English does.
 */
const isEnglish = ['en', 'en-XA', 'ar-XB'].includes(language);

/** Locale for dates and numbers (BCP 47). English pages format them as in the United States. */
export const locale = isEnglish ? 'en-US' : language;

/** Writing direction of the page. The server sets it together with the language. */
export const direction = document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr';

/**
 * Splits a plain sentence at its values ("{name}"). The build has already compiled all other sentences
 * (build/compile-messages.ts).
 */
const splitAtValues = (message: string): string | (string | [string])[] =>
  message.includes('{') ? message.split(/\{(\w+)\}/).map((part, at) => (at % 2 === 0 ? part : [part])) : message;

i18n.setMessagesCompiler((message) => splitAtValues(message) as never);
i18n.load(language, radworkMessages);
i18n.activate(language);

/** Translates messages and labels of the contract. The contract uses English if a translation is missing. */
const ofContract: Translate = (message, values) =>
  Object.hasOwn(radworkMessages, message) ? i18n._(message, values) : undefined;
installTranslation(ofContract, ofContract);
