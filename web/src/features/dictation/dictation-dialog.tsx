import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { NativeSelect } from '@mantine/core';
import { reportSections, sectionNames } from '@radwork/contract/report-sections';
import { spoken } from '#editor/dictation-commands.ts';
import {
  type DictationLanguage,
  dictationLanguageNames,
  dictationLanguages,
  tongueOf,
} from '#editor/dictation-languages.ts';
import { Dialog } from '#ui/dialog.tsx';
import { Notice } from '#ui/notice.tsx';
import styles from './dictation-dialog.module.css';
import type { Destination } from './speech-engine.ts';
import { WhereVoiceGoes } from './voice-notice.tsx';

type Props = {
  opened: boolean;
  onClose: () => void;
  language: DictationLanguage;
  onLanguage: (language: DictationLanguage) => void;
  destination: Destination;
  /** Reason why dictation is not allowed; undefined when it is. */
  refusal: string | undefined;
};

/** Shows the dictation language, the destination of the voice and all spoken commands. */
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
            const chosen = dictationLanguages.find((one) => one === event.currentTarget.value);
            if (chosen) onLanguage(chosen);
          }}
        />
        <WhereVoiceGoes language={language} destination={destination} />
        <Commands language={language} />
      </div>
    </Dialog>
  );
}

function Commands({ language }: { language: DictationLanguage }) {
  return (
    <section aria-labelledby="dictation-commands">
      <h3 id="dictation-commands" className={styles.title}>
        {t`What you can say`}
      </h3>
      <dl className={styles.commands} lang={language}>
        {commandsIn(language).map(({ says, does }) => (
          <div key={does}>
            <dt>
              {says.map((phrase) => (
                <span key={phrase}>{phrase}</span>
              ))}
            </dt>
            <dd lang="en">{does}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.hint}>
        <Trans>
          Commands that are no signs are said alone, with a pause before and behind. “
          {spoken[tongueOf(language)].deleteThat[0]}” at the end of a sentence drops that sentence.
        </Trans>
      </p>
    </section>
  );
}

const named: Record<string, string> = {
  '\n': 'begins a new line',
  '\n\n': 'begins a new paragraph',
  '.\n\n': 'full stop, and a new paragraph',
};

/** Lists the commands from the same table that recognizes them, so that the list is always right. */
const commandsIn = (language: DictationLanguage): { says: readonly string[]; does: string }[] => {
  const tongue = tongueOf(language);
  const { signs, deleteThat, nextField, stopDictation, insertMacro } = spoken[tongue];
  return [
    ...signs.map(({ says, sign, onlyAfterLabel }) => ({
      says,
      does: `${named[sign] ?? `writes ${sign}`}${onlyAfterLabel ? ' behind a label such as “Liver”, else the organ' : ''}`,
    })),
    { says: deleteThat, does: 'takes back what was dictated last' },
    { says: nextField, does: 'goes to the next [field]' },
    {
      says: reportSections.map((section) => sectionNames[tongue][section][0]),
      does: 'goes to that part of the report',
    },
    { says: insertMacro.map((phrase) => `${phrase} …`), does: 'puts in the macro of that name' },
    { says: stopDictation, does: 'stops listening' },
  ];
};
