import { usePreference } from '#core/preferences.ts';
import { useSession } from '#core/session.ts';
import { type DictationLanguage, dictationLanguages } from '#editor/dictation-languages.ts';
import type { Destination } from './speech-engine.ts';

/** Several people read at one workstation: each has choices of their own. */
const useOwnName = (name: string): string => {
  const session = useSession();
  return `${name}.${session?.tenant.subdomain}.${session?.user.id}`;
};

/** The language somebody dictates in, American English until they choose. */
export const useDictationLanguage = (): [DictationLanguage, (language: DictationLanguage) => void] =>
  usePreference(useOwnName('dictation-language'), dictationLanguages);

const known = ['nothing', 'device', 'vendor'] as const;

/** Whether somebody has read where their voice goes; whoever has read of the vendor need not read of this computer. */
export const useVoiceNotice = () => {
  const [read, setRead] = usePreference(useOwnName('dictation-notice'), known);
  return {
    hasRead: (destination: Destination) => read === 'vendor' || read === destination,
    noteRead: (destination: Destination) => {
      if (read !== 'vendor') setRead(destination);
    },
  };
};
