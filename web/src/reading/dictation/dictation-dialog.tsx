import { t } from '@lingui/core/macro';
import { NativeSelect } from '@mantine/core';
import { reportSections, sectionNames } from '@radwork/contract/reading/report-sections';
import { spoken } from '#reading/editor/dictation/dictation-commands.ts';
import {
  type DictationLanguage,
  dictationLanguageNames,
  dictationLanguages,
  tongueOf,
} from '#reading/editor/dictation/dictation-languages.ts';
import { useState } from 'react';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './dictation-dialog.module.css';
import { CorrectionFields } from './corrections/correction-fields.tsx';
import { useAddCorrection } from './corrections/use-corrections.ts';
import type { Recognizer } from './dictation-preferences.ts';
import { type VoiceDestination, WhereVoiceGoes } from './voice-notice.tsx';

type Props = VoiceDestination & {
  opened: boolean;
  onClose: () => void;
  onLanguage: (language: DictationLanguage) => void;
  recognizer: Recognizer;
  /** Recognizers that the user can choose. */
  available: readonly Recognizer[];
  onRecognizer: (recognizer: Recognizer) => void;
  /** Returns the selected text, which the recognizer may have written wrongly. */
  selectedText: () => string;
  /** Reason why dictation is not allowed; undefined when it is allowed. */
  refusal: string | undefined;
};

/** Shows the dictation language, where the voice is processed, and all spoken commands. */
export function DictationDialog(props: Props) {
  const { opened, onClose, language, onLanguage, destination, server, refusal } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Dictation`} size={560}>
      <div className={styles.dialog}>
        {refusal && <Notice tone="warning">{refusal}</Notice>}
        <NativeSelect
          label={t`Language`}
          data-autofocus
          value={language}
          data={dictationLanguages.map((value) => ({ value, label: dictationLanguageNames[value] }))}
          onChange={(event) => {
            const selectedLanguage = dictationLanguages.find(
              (dictationLanguage) => dictationLanguage === event.currentTarget.value,
            );
            if (selectedLanguage) onLanguage(selectedLanguage);
          }}
        />
        <RecognizerChoice {...props} />
        <WhereVoiceGoes language={language} destination={destination} server={server} />
        <NewCorrection selectedText={props.selectedText} />
        <Commands language={language} />
      </div>
    </Dialog>
  );
}

/** Choice of the recognizer, where the organization has a dictation server and allows the recognizer of the browser. */
function RecognizerChoice({ recognizer, available, onRecognizer, server }: Props) {
  if (available.length < 2) return null;
  const names: Record<Recognizer, string> = {
    server: t`Dictation server of the organization (${server})`,
    browser: t`Recognizer of this browser`,
  };
  return (
    <NativeSelect
      label={t`Recognizer`}
      value={recognizer}
      data={available.map((value) => ({ value, label: names[value] }))}
      onChange={({ currentTarget }) => {
        const chosen = available.find((value) => value === currentTarget.value);
        if (chosen) onRecognizer(chosen);
      }}
    />
  );
}

/** Form for a new correction. It begins with the selected text. */
function NewCorrection({ selectedText }: Pick<Props, 'selectedText'>) {
  const add = useAddCorrection();
  const [start] = useState(() => ({ written: selectedText(), said: '' }));
  return (
    <section aria-labelledby="dictation-correction">
      <h3 id="dictation-correction" className={styles.title}>
        {t`Correct a word`}
      </h3>
      <CorrectionFields
        start={start}
        verb={t`Create correction`}
        isPending={add.isPending}
        onSubmit={(body) => add.mutateAsync({ body })}
      />
      <p
        className={styles.hint}
      >{t`Select a wrong word in the report before you open this window. Edit corrections in My account.`}</p>
    </section>
  );
}

function Commands({ language }: { language: DictationLanguage }) {
  const [deleteThat = ''] = spoken[tongueOf(language)].deleteThat;
  return (
    <section aria-labelledby="dictation-commands">
      <h3 id="dictation-commands" className={styles.title}>
        {t`Commands`}
      </h3>
      <dl className={styles.commands} lang={language}>
        {commandsIn(language).map(({ says, does }) => (
          <div key={does}>
            <dt>
              {says.map((phrase) => (
                <span key={phrase}>{phrase}</span>
              ))}
            </dt>
            <dd lang={document.documentElement.lang}>{does}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.hint}>
        {t`Pause before and after a command, except for punctuation. “${deleteThat}” at the end of a sentence deletes that sentence.`}
      </p>
    </section>
  );
}

const signNames: Record<string, string> = {
  '\n': t`New line`,
  '\n\n': t`New paragraph`,
  '.\n\n': t`Period and new paragraph`,
};

/** Lists the commands. The same table is used to recognize them, so the list is always right. */
const commandsIn = (language: DictationLanguage): { says: readonly string[]; does: string }[] => {
  const tongue = tongueOf(language);
  const { signs, deleteThat, nextField, stopDictation, insertMacro } = spoken[tongue];
  return [
    ...signs.map(({ says, sign, onlyAfterLabel }) => ({
      says,
      does: onlyAfterLabel
        ? t`${sign} after a label such as “Liver”, otherwise the word for the organ`
        : (signNames[sign] ?? sign),
    })),
    { says: deleteThat, does: t`Deletes the last dictation` },
    { says: nextField, does: t`Goes to the next [field]` },
    {
      says: reportSections.map((section) => sectionNames[tongue][section][0]),
      does: t`Goes to the section`,
    },
    { says: insertMacro.map((phrase) => `${phrase} …`), does: t`Inserts the macro with that name` },
    { says: stopDictation, does: t`Stops dictation` },
  ];
};
