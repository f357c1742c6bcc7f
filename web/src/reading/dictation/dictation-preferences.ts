import { usePreference } from '#core/state/preferences.ts';
import { useSession } from '#core/state/session.ts';
import { type DictationLanguage, dictationLanguages } from '#reading/editor/dictation/dictation-languages.ts';
import type { Destination } from './speech-engine.ts';

/** Returns a preference name that contains the user, because several users share a workstation. */
const useOwnName = (name: string): string => {
  const session = useSession();
  return `${name}.${session?.tenant.subdomain}.${session?.user.id}`;
};

/** The user's dictation language, American English by default. */
export const useDictationLanguage = (): [DictationLanguage, (language: DictationLanguage) => void] =>
  usePreference(useOwnName('dictation-language'), dictationLanguages);

const known = ['nothing', 'device', 'server', 'vendor'] as const;

/**
 * Remembers which voice notice the user has accepted. Accepting the notice of a place also covers the places that are
 * nearer: the vendor, then the server of the organization, then this computer.
 */
export const useVoiceNotice = () => {
  const [read, setRead] = usePreference(useOwnName('dictation-notice'), known);
  return {
    hasRead: (destination: Destination) => known.indexOf(read) >= known.indexOf(destination),
    noteRead: (destination: Destination) => {
      if (known.indexOf(read) < known.indexOf(destination)) setRead(destination);
    },
  };
};

/** Recognizers of speech: the dictation server of the organization, or the browser. The first is the default. */
export const recognizers = ['server', 'browser'] as const;
export type Recognizer = (typeof recognizers)[number];

/** The recognizer that the user prefers, where both exist. */
export const usePreferredRecognizer = (): [Recognizer, (recognizer: Recognizer) => void] =>
  usePreference(useOwnName('dictation-recognizer'), recognizers);
