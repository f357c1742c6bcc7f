import { AsyncLocalStorage } from 'node:async_hooks';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setupI18n } from '@lingui/core';
import { installTranslation, type Translate } from '@radwork/contract/core/translate';
import type { FastifyInstance } from 'fastify';
import { cookieOf } from './caller.ts';
import { chooseLanguage, languageCookie, type Languages, readLanguages } from './page-language.ts';

/** The language of a call. `organization` is used when the caller asks for no language. */
type Requested = { language: string | undefined; organization?: string };

const requested = new AsyncLocalStorage<Requested>();

/** Reads the message catalogs of the server by language. The build writes them (web/build/emit-catalogs.ts). */
const readCatalogs = async (folder: string, languages: Languages): Promise<Map<string, Translate>> => {
  const translations = new Map<string, Translate>();
  for (const [language, { server }] of languages) {
    const messages = JSON.parse(await readFile(join(folder, server), 'utf8')) as Record<string, string>;
    const i18n = setupI18n({ locale: language, messages: { [language]: messages } });
    translations.set(language, (message, values) =>
      Object.hasOwn(messages, message) ? i18n._(message, { ...values }) : undefined,
    );
  }
  return translations;
};

/**
 * Translates the messages of a call: into the language of the browser's cookie, else of `Accept-Language`, else of the
 * organization. Jobs and documents have no call, so they are in English.
 */
export const translateReplies = async (app: FastifyInstance, folder: string) => {
  const languages = await readLanguages(folder);
  const translations = await readCatalogs(folder, languages);
  installTranslation((message, values) => {
    const { language, organization } = requested.getStore() ?? {};
    return translations.get(language ?? chooseLanguage(languages, undefined, organization) ?? 'en')?.(message, values);
  });
  if (languages.size === 0) return;
  app.addHook('onRequest', (request, _reply, done) => {
    const language = chooseLanguage(languages, cookieOf(request, languageCookie), request.headers['accept-language']);
    requested.run({ language }, done);
  });
};

/** Returns the language that replies are translated into, as the call or its organization names it. Empty without a call. */
export const requestLanguage = (): string => {
  const { language, organization } = requested.getStore() ?? {};
  return language ?? organization ?? '';
};

/** Notes the language of the caller's organization, for calls that ask for no language. */
export const noteOrganizationLanguage = (locale: string) => {
  const call = requested.getStore();
  if (call) call.organization = locale;
};

/** Runs work whose texts are for members of an organization, such as mail, in the organization's language. */
export const inLanguage = <Result>(locale: string, work: () => Result): Result =>
  requested.run({ language: undefined, organization: locale }, work);
