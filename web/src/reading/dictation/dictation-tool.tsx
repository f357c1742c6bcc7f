import { t } from '@lingui/core/macro';
import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconChevronDown, IconMicrophone, IconMicrophoneOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { BelowToolbar } from '#reading/editor/toolbar/below-toolbar.tsx';
import { useIsTextLocked } from '#reading/editor/text-lock.ts';
import { useCommands, useKeysOf, withKeys } from '#ui/keyboard/commands.ts';
import { useKeyWhileWriting } from '#ui/keyboard/use-key-while-writing.ts';
import { dictationCommands } from './dictation-commands.ts';
import { DictationDialog } from './dictation-dialog.tsx';
import { useCorrections } from './corrections/use-corrections.ts';
import { type Recognizer, useDictationLanguage, useVoiceNotice } from './dictation-preferences.ts';
import { DictationStatus } from './dictation-status.tsx';
import styles from './dictation-tool.module.css';
import type { Destination, SpeechEngine } from './speech-engine.ts';
import { useDictation } from './use-dictation.ts';
import { usePhrases } from './use-phrases.ts';
import { useRecognizer } from './use-recognizer.ts';
import { useSelectionCount } from './use-selection-count.ts';
import { VoiceNotice } from './voice-notice.tsx';
import { webSpeech } from './web-speech.ts';

type Props = { editor: Editor; studyId: string };

/** Dictation into a report: the button, its status and its settings. */
export function DictationTool({ editor, studyId }: Props) {
  const [language, setLanguage] = useDictationLanguage();
  const [opened, setOpened] = useState<'settings' | 'notice'>();
  const { refusal, server, available, recognizer, choose } = useRecognizer();
  const take = useRef<ReturnType<typeof useDictation>['take']>(undefined);
  const selections = useSelectionCount(editor);
  const {
    engine: serverSpeech,
    close,
    ...phrases
  } = usePhrases({
    editor,
    studyId,
    selections,
    onText: (text, phrase) => take.current?.(text, phrase.language, phrase.selections),
  });
  const engine = recognizer === 'server' ? serverSpeech : webSpeech;
  const destination = useDestination(engine, language, recognizer);
  const notice = useVoiceNotice();
  const corrections = useCorrections();
  const dictation = useDictation({ editor, studyId, language, engine, selections, corrections });
  // Follows useDictation, so that on leaving, the recording ends before the queue of its phrases closes.
  useEffect(() => close, [close]);
  useEffect(() => {
    take.current = dictation.take;
  });
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
  const keysFor = useKeysOf();
  const keys = keysFor(dictationCommands.toggle);
  useKeyWhileWriting(keys, toggle);
  useCommands([{ command: dictationCommands.toggle, hint: t`dictate`, run: toggle }]);

  return (
    <>
      <div className={styles.tool} role="group" aria-label={t`Dictation`}>
        <DictateButton state={dictation.state} refusal={refusal} keys={keys} onClick={press} />
        <Tooltip label={t`Language and commands`}>
          <ActionIcon size={26} aria-label={t`Dictation settings`} onClick={() => setOpened('settings')}>
            <IconChevronDown size={15} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      </div>
      <BelowToolbar>
        <DictationStatus
          editor={editor}
          dictation={dictation}
          phrases={phrases}
          isRecording={isOn && recognizer === 'server'}
          language={language}
        />
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
        recognizer={recognizer}
        available={available}
        // As with the language, the running engine must stop first.
        onRecognizer={(next) => {
          dictation.stop();
          choose(next);
        }}
        destination={destination}
        server={server}
        refusal={refusal}
        selectedText={() => selectedText(editor)}
      />
      <VoiceNotice
        opened={opened === 'notice'}
        language={language}
        destination={destination}
        server={server}
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

type ButtonProps = {
  state: 'idle' | 'starting' | 'listening';
  refusal: string | undefined;
  keys: string;
  onClick: () => void;
};

function DictateButton({ state, refusal, keys, onClick }: ButtonProps) {
  const label = labels[state];
  const Icon = refusal === undefined ? IconMicrophone : IconMicrophoneOff;
  return (
    <Tooltip label={refusal ?? withKeys(state === 'idle' ? t`Dictate` : t`Stop dictation`, keys)}>
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
const useDestination = (
  engine: SpeechEngine,
  language: Parameters<SpeechEngine['destinationOf']>[0],
  recognizer: Recognizer,
): Destination => {
  const destinationQuery = useQuery({
    queryKey: ['dictation-destination', recognizer, language],
    queryFn: () => engine.destinationOf(language),
  });
  return recognizer === 'server' ? 'server' : (destinationQuery.data ?? 'vendor');
};

/** Longest selection that can be a wrong word, in characters. */
const longestWord = 120;

const selectedText = ({ state: { doc, selection } }: Editor): string => {
  const text = doc.textBetween(selection.from, selection.to, ' ', ' ').trim();
  return text.length > longestWord ? '' : text;
};

const useStopWhenRefused = (isToStop: boolean, stop: () => void) => {
  useEffect(() => {
    if (isToStop) stop();
  });
};
