import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { IconChevronDown, IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';
import { query } from '#core/http/api.ts';
import { BelowToolbar } from '#reading/editor/toolbar/below-toolbar.tsx';
import { useIsTextLocked } from '#reading/editor/text-lock.ts';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { useKeyWhileWriting } from '#ui/keyboard/use-key-while-writing.ts';
import { DictationDialog } from './dictation-dialog.tsx';
import { useDictationLanguage, useVoiceNotice } from './dictation-preferences.ts';
import { DictationStatus } from './dictation-status.tsx';
import styles from './dictation-tool.module.css';
import type { Destination, SpeechEngine } from './speech-engine.ts';
import { useDictation } from './use-dictation.ts';
import { VoiceNotice } from './voice-notice.tsx';
import { webSpeech } from './web-speech.ts';

type Props = { editor: Editor; studyId: string; engine?: SpeechEngine };

/** Dictation into a report: the button, its status and its settings. */
export function DictationTool({ editor, studyId, engine = webSpeech }: Props) {
  const [language, setLanguage] = useDictationLanguage();
  const [opened, setOpened] = useState<'settings' | 'notice'>();
  const destination = useDestination(engine, language);
  const notice = useVoiceNotice();
  const refusal = useRefusal();
  const dictation = useDictation({ editor, studyId, language, engine });
  const isOn = dictation.state !== 'idle';
  const isHeld = useIsTextLocked(editor);
  useStopWhenRefused(isOn && (refusal !== undefined || isHeld), dictation.stop);

  const toggle = () => {
    if (isOn) dictation.stop();
    else if (isHeld) return;
    else if (refusal !== undefined) setOpened('settings');
    else if (notice.hasRead(destination)) void dictation.start();
    else setOpened('notice');
  };
  // Returns the focus to the text, so that the next key does not press the button.
  const backToText = () => editor.view.focus();
  const press = () => {
    toggle();
    backToText();
  };
  useKeyWhileWriting('F4', toggle);
  useShortcuts(t`Dictation`, [{ keys: 'F4', does: t`Start or stop dictation`, hint: t`dictate`, run: toggle }]);

  return (
    <>
      <div className={styles.tool} role="group" aria-label={t`Dictation`}>
        <DictateButton state={dictation.state} refusal={refusal} onClick={press} />
        <Tooltip label={t`Language and commands`}>
          <ActionIcon size={26} aria-label={t`Dictation settings`} onClick={() => setOpened('settings')}>
            <IconChevronDown size={15} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </div>
      <BelowToolbar>
        <DictationStatus editor={editor} dictation={dictation} language={language} />
      </BelowToolbar>
      <DictationDialog
        opened={opened === 'settings'}
        onClose={() => setOpened(undefined)}
        language={language}
        // Stops the running engine first, because it still listens for the old language.
        onLanguage={(next) => {
          dictation.stop();
          setLanguage(next);
        }}
        destination={destination}
        refusal={refusal}
      />
      <VoiceNotice
        opened={opened === 'notice'}
        language={language}
        destination={destination}
        onCancel={() => setOpened(undefined)}
        onClosed={backToText}
        onAgree={() => {
          notice.noteRead(destination);
          setOpened(undefined);
          void dictation.start();
        }}
      />
    </>
  );
}

const labels = { idle: t`Dictate`, starting: t`Starting`, listening: t`Listening` } as const;

type ButtonProps = { state: 'idle' | 'starting' | 'listening'; refusal: string | undefined; onClick: () => void };

function DictateButton({ state, refusal, onClick }: ButtonProps) {
  const label = labels[state];
  const Icon = refusal === undefined ? IconMicrophone : IconMicrophoneOff;
  return (
    <Tooltip label={refusal ?? (state === 'idle' ? t`Dictate (F4)` : t`Stop dictation (F4)`)}>
      <Button
        className={styles.button ?? ''}
        size="compact-sm"
        variant="default"
        data-state={state}
        data-refused={refusal !== undefined || undefined}
        aria-pressed={state !== 'idle'}
        aria-label={state === 'idle' ? label : t`${label}, stop dictation`}
        onClick={onClick}
        leftSection={state === 'listening' ? <Pulse /> : <Icon size={16} stroke={1.7} aria-hidden />}
      >
        <span className={styles.label}>{label}</span>
      </Button>
    </Tooltip>
  );
}

/** Three bars that move while the microphone is open. They stay still with reduced motion. */
function Pulse() {
  return (
    <span className={styles.pulse} aria-hidden>
      <i />
      <i />
      <i />
    </span>
  );
}

/**
 * Returns where the voice is processed. Assumes the vendor until the browser confirms that this computer processes it.
 */
const useDestination = (engine: SpeechEngine, language: Parameters<SpeechEngine['destinationOf']>[0]): Destination => {
  const destinationQuery = useQuery({
    queryKey: ['dictation', 'destination', language],
    queryFn: () => engine.destinationOf(language),
  });
  return destinationQuery.data ?? 'vendor';
};

/** Returns the reason why the user may not dictate; undefined when allowed. */
const useRefusal = (): string | undefined => {
  const settings = useQuery(query(reportingSettings.forWriting, {}));
  if (settings.data?.isDictationAllowed) return undefined;
  if (settings.data) return t`Your organization has turned off dictation.`;
  return settings.isPending
    ? t`Checking whether your organization allows dictation`
    : t`Could not check whether your organization allows dictation.`;
};

const useStopWhenRefused = (isToStop: boolean, stop: () => void) => {
  useEffect(() => {
    if (isToStop) stop();
  });
};
