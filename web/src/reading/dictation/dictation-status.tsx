import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { Editor } from '@tiptap/react';
import type { ReactNode } from 'react';
import { insertDictated } from '#reading/editor/dictation/dictation-insert.ts';
import { type DictationLanguage, dictationLanguageNames } from '#reading/editor/dictation/dictation-languages.ts';
import { useLeaveWarning } from '#ui/dialogs/use-leave-warning.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './dictation-tool.module.css';
import type { useDictation } from './use-dictation.ts';
import type { usePhrases } from './use-phrases.ts';

type Props = {
  editor: Editor;
  dictation: ReturnType<typeof useDictation>;
  phrases: Omit<ReturnType<typeof usePhrases>, 'engine' | 'close'>;
  /** Whether words are recorded for the dictation server. Words of the browser are kept when the page closes. */
  isRecording: boolean;
  language: DictationLanguage;
};

/**
 * Shows interim words, phrases in progress, errors and words not inserted into the report. Renders nothing if there are no such words or
 * errors.
 */
export function DictationStatus({ editor, dictation, phrases, isRecording, language }: Props) {
  const { state, interim, message, kept: unplaced, dismiss } = dictation;
  const isListening = state === 'listening';
  const languageName = dictationLanguageNames[language];
  const putIn = (words: string, index: number) => {
    if (insertDictated(editor, words, language) === '') unplaced.drop(index);
  };
  return (
    <>
      <Row isShown={isListening}>
        <span role="status" className={styles.said}>
          {isListening ? t`Listening in ${languageName}` : ''}
        </span>
        {isListening && interim && (
          <span className={styles.interim} lang={language} data-testid="interim">
            {endOf(interim)}
          </span>
        )}
      </Row>
      {(isRecording || phrases.writing > 0) && <WarnBeforeLeaving />}
      <PhraseStatus phrases={phrases} />
      {message && (
        <Row isShown>
          <Notice tone="danger" onClose={dismiss}>
            {message}
          </Notice>
        </Row>
      )}
      {unplaced.all.map((words, index) => (
        <Row key={`${index} ${words}`} isShown>
          <Notice tone="warning">
            {t`Dictated but not in the report:`} <q lang={language}>{words}</q>
            <div className={styles.choices}>
              <Button size="compact-sm" variant="default" onClick={() => putIn(words, index)}>
                {t`Insert at cursor`}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => unplaced.drop(index)}>
                {t`Discard`}
              </Button>
            </div>
          </Notice>
        </Row>
      ))}
    </>
  );
}

/** Shows whether recorded phrases are being written, and offers to send a failed phrase again. */
function PhraseStatus({ phrases: { writing, failure, retry, discard } }: Pick<Props, 'phrases'>) {
  const waiting = writing - 1;
  return (
    <>
      <Row isShown={writing > 0 && failure === undefined}>
        <span role="status" className={styles.said}>
          {writing > 0 && failure === undefined ? t`Writing` : ''}
        </span>
      </Row>
      {failure !== undefined && (
        <Row isShown>
          <Notice tone="danger">
            {t`A phrase was not written.`} {failure}{' '}
            {waiting > 0 && t`${plural(waiting, { one: '# more phrase waits.', other: '# more phrases wait.' })}`}
            <div className={styles.choices}>
              <Button size="compact-sm" variant="default" onClick={retry}>
                {t`Retry`}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={discard}>
                {t`Discard phrase`}
              </Button>
            </div>
          </Notice>
        </Row>
      )}
    </>
  );
}

const wordsAreLeft = {
  question: t`Leave before the dictated words are written?`,
  consequence: t`Words not yet in the report will be lost.`,
  verb: t`Leave`,
};

function WarnBeforeLeaving() {
  useLeaveWarning(true, wordsAreLeft);
  return null;
}

/** Number of interim characters that fit. The latest characters are shown. */
const roomForInterim = 120;

const endOf = (words: string) => (words.length > roomForInterim ? `… ${words.slice(-roomForInterim)}` : words);

function Row({ isShown, children }: { isShown: boolean; children: ReactNode }) {
  return <div className={isShown ? styles.row : styles.nothing}>{children}</div>;
}
