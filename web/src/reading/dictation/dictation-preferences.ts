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

const known = ['nothing', 'device', 'vendor'] as const;

/**
 * Remembers which voice notice the user has accepted. Accepting the vendor's notice also covers recognition on this
 * computer.
 */
export const useVoiceNotice = () => {
  const [read, setRead] = usePreference(useOwnName('dictation-notice'), known);
  return {
    hasRead: (destination: Destination) => read === 'vendor' || read === destination,
    noteRead: (destination: Destination) => {
      if (read !== 'vendor') setRead(destination);
    },
  };
};
