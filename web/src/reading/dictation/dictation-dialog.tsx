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
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './dictation-dialog.module.css';
import type { Destination } from './speech-engine.ts';
import { WhereVoiceGoes } from './voice-notice.tsx';

type Props = {
  opened: boolean;
  onClose: () => void;
  language: DictationLanguage;
  onLanguage: (language: DictationLanguage) => void;
  destination: Destination;
  /** Reason why dictation is not allowed; undefined when it is allowed. */
  refusal: string | undefined;
};

/** Shows the dictation language, where the voice is processed, and all spoken commands. */
export function DictationDialog({ opened, onClose, language, onLanguage, destination, refusal }: Props) {
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
        <WhereVoiceGoes language={language} destination={destination} />
        <Commands language={language} />
      </div>
    </Dialog>
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
