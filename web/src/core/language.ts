import { i18n } from '@lingui/core';

/**
 * Activates the language of the page before any other module runs: modules translate their labels once. A change of the
 * language therefore reloads the page. English sentences are in the source and need no catalog; the server inserts the
 * catalog of another language into the page (server/src/core/page-language.ts).
 */
const { radworkMessages = {} } = globalThis as { radworkMessages?: Record<string, string> };
const language = document.documentElement.lang || 'en';

/** The locale of dates and numbers (BCP 47). English pages write them as in the United States. */
export const locale = language === 'en' || language === 'en-XA' ? 'en-US' : language;

// The build compiles the sentences of the source (build/compile-messages.ts).
i18n.setMessagesCompiler((message) => message as never);
i18n.load(language, radworkMessages);
i18n.activate(language);
