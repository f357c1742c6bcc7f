import { t } from '@lingui/core/macro';
import { reportingSettings, type WritingSettings } from '@radwork/contract/reading/reporting-settings';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { type Recognizer, usePreferredRecognizer } from './dictation-preferences.ts';
import { hasWebSpeech } from './web-speech.ts';

const recognizersFor = ({ dictation }: WritingSettings): Recognizer[] => [
  ...(dictation.server === '' ? [] : (['server'] as const)),
  ...(dictation.isBrowserAllowed && hasWebSpeech() ? (['browser'] as const) : []),
];

/**
 * Returns the recognizer of the user among those that the organization offers, and the reason why the user may not
 * dictate, undefined when allowed. Until the settings are known, it is the browser, and dictation is refused.
 */
export const useRecognizer = () => {
  const settings = useQuery(query(reportingSettings.forWriting, {}));
  const [preferred, choose] = usePreferredRecognizer();
  const available = settings.data ? recognizersFor(settings.data) : [];
  const recognizer: Recognizer = available.includes(preferred) ? preferred : (available[0] ?? 'browser');
  const server = settings.data?.dictation.server ?? '';
  return { refusal: refusalOf(settings), server, available, recognizer, choose };
};

const refusalOf = ({ data, isPending }: { data: WritingSettings | undefined; isPending: boolean }) => {
  if (!data) {
    return isPending
      ? t`Checking whether your organization allows dictation`
      : t`Could not check whether your organization allows dictation.`;
  }
  if (!data.isDictationAllowed) return t`Your organization has turned off dictation.`;
  if (data.dictation.server === '' && !data.dictation.isBrowserAllowed) {
    return t`Your organization allows dictation only with its own server, and none is set up. Ask an administrator.`;
  }
  return undefined;
};
