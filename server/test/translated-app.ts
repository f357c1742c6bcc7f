import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTranslation } from '@radwork/contract/core/translate';
import { createApp } from '../src/app.ts';
import type { World } from './world.ts';

/** Returns the messages that are translated while `work` runs, with "{0}" for the first value. */
export const messagesOf = (work: () => unknown): string[] => {
  const messages: string[] = [];
  installTranslation((message) => void messages.push(message));
  try {
    work();
  } finally {
    installTranslation(() => undefined);
  }
  return messages;
};

/** Splits a message at its values, as the build compiles it (web/build/emit-catalogs.ts). */
const compiled = (message: string) => message.split(/\{(\d+)\}/).map((part, at) => (at % 2 === 0 ? part : [part]));

/**
 * Creates an app over a world whose build has these messages in the language "de". Their translation puts a message in
 * angle quotes: "‹The study is locked.›". A message with a plural form cannot be given.
 */
export const translatedApp = async ({ context }: Pick<World, 'context'>, messages: readonly string[]) => {
  const folder = await mkdtemp(join(tmpdir(), 'radwork-translated-'));
  await mkdir(join(folder, 'messages'));
  const catalog = Object.fromEntries(messages.map((message) => [message, compiled(`‹${message}›`)]));
  await writeFile(join(folder, 'messages', 'de.json'), JSON.stringify(catalog));
  const languages = { de: { page: '/de.js', server: 'messages/de.json' } };
  await writeFile(join(folder, 'languages.json'), JSON.stringify(languages));
  const app = await createApp(context, folder);
  return {
    inject: app.inject.bind(app),
    close: async () => {
      await app.close();
      installTranslation(() => undefined);
      await rm(folder, { recursive: true });
    },
  };
};
