import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type DictationLanguage, dictationLanguageNames } from '#reading/editor/dictation/dictation-languages.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './dictation-dialog.module.css';
import type { Destination } from './speech-engine.ts';

export type VoiceDestination = {
  language: DictationLanguage;
  destination: Destination;
  /** Host and port of the dictation server. */
  server: string;
};
type Props = VoiceDestination & {
  opened: boolean;
  onAgree: () => void;
  onCancel: () => void;
  /** Called when the dialog has closed and returned the focus. */
  onClosed: () => void;
};

/** Notice before a user's first dictation. It names the third parties who may hear the voice. */
export function VoiceNotice({ opened, onAgree, onCancel, onClosed, ...where }: Props) {
  return (
    <Dialog opened={opened} onClose={onCancel} onExitTransitionEnd={onClosed} title={t`Before you dictate`} size={460}>
      <WhereVoiceGoes {...where} />
      <div className={styles.buttons}>
        <CancelButton onCancel={onCancel} />
        <Button data-autofocus onClick={onAgree}>
          {t`Start dictation`}
        </Button>
      </div>
    </Dialog>
  );
}

/** Explains where the voice is processed and what the user can do. */
export function WhereVoiceGoes({ language, destination, server }: VoiceDestination) {
  const languageName = dictationLanguageNames[language];
  if (destination === 'device') {
    return (
      <Notice tone="info">
        {t`This browser recognizes ${languageName} on this computer. Your voice does not leave the computer and is not recorded.`}
      </Notice>
    );
  }
  if (destination === 'server') {
    return (
      <Notice tone="info">
        {t`Your voice and the words before the cursor are sent to ${server}, the dictation server of your organization.`}{' '}
        {t`Radwork does not store your voice.`}
      </Notice>
    );
  }
  return (
    <Notice tone="warning">
      {t`Dictation uses the speech recognition of your browser.`}{' '}
      {t`The browser may send your voice to its vendor, such as Google, Microsoft or Apple, for processing outside this hospital.`}{' '}
      {t`Do not say the patient’s name or other identifying details.`} {t`Your voice is not recorded here.`}
    </Notice>
  );
}
