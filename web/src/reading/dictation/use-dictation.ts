import { noteActivity } from '#core/state/attention.ts';
import { t } from '@lingui/core/macro';
import type { Correction } from '@radwork/contract/reading/dictation';
import type { Editor } from '@tiptap/react';
import { sectionNames } from '@radwork/contract/reading/report-sections';
import { useEffect, useRef, useState } from 'react';
import { insertDictated, leaveSelection } from '#reading/editor/dictation/dictation-insert.ts';
import { deleteDictated, showInterim } from '#reading/editor/extensions/dictation-interim.ts';
import { type DictationLanguage, tongueOf } from '#reading/editor/dictation/dictation-languages.ts';
import { insertMacroByName } from '#reading/editor/dictation/dictation-macros.ts';
import { goToNextField, goToSection } from '#reading/editor/dictation/dictation-navigation.ts';
import { noteDictation } from '#reading/editor/dictation/running-dictation.ts';
import { readUtterance, type Dictated } from '#reading/editor/dictation/parse-utterance.ts';
import { applyCorrections } from './corrections/apply-corrections.ts';
import { listen, type Listening, type ListeningState } from './listen.ts';
import type { SpeechEngine } from './speech-engine.ts';
import { messageForObstacle } from './speech-errors.ts';
import type { SelectionCount } from './use-selection-count.ts';
import { useUnplacedWords } from './use-unplaced-words.ts';

type Options = {
  editor: Editor;
  studyId: string;
  language: DictationLanguage;
  engine: SpeechEngine;
  selections: SelectionCount;
  corrections: readonly Pick<Correction, 'written' | 'said'>[];
};

/** Dictates into one editor. Dictation ends when the page closes or the report can no longer be edited. */
export const useDictation = ({ editor, studyId, language, engine, selections, corrections }: Options) => {
  const [state, setState] = useState<ListeningState>('idle');
  const [interim, setInterim] = useState('');
  const [message, setMessage] = useState('');
  const unplaced = useUnplacedWords(studyId);
  const listening = useRef<Listening>(undefined);
  // The editor may be replaced while its data load. Words must go to the current editor.
  const latest = useRef({ editor, kept: unplaced, corrections });
  useEffect(() => {
    latest.current = { editor, kept: unplaced, corrections };
  });
  useEffect(() => () => listening.current?.abort(), []);
  useEffect(() => {
    noteDictation(studyId, state !== 'idle');
    return () => noteDictation(studyId, false);
  }, [studyId, state]);

  const stop = () => listening.current?.stop();
  /** Number of selections when the words in progress began; undefined between phrases. */
  const selectionsBefore = useRef<number>(undefined);
  const onInterim = (words: string) => {
    selectionsBefore.current = words === '' ? undefined : (selectionsBefore.current ?? selections.now());
    setInterim(words);
    showInterim(latest.current.editor, words);
  };
  /**
   * Inserts recognized words or performs their command. `spokenIn` is the language at the time of speaking, `before` the
   * number of selections at that time.
   */
  const take = (recognized: string, spokenIn: DictationLanguage, before: number) => {
    const now = latest.current;
    const utterance = applyCorrections(recognized, now.corrections, spokenIn);
    setMessage('');
    showInterim(now.editor, '');
    if (now.editor.isDestroyed || !now.editor.isEditable) return now.kept.keep(utterance);
    const all = readUtterance(utterance, spokenIn);
    selections.withoutCounting(() => {
      if (selections.now() !== before && all.some(({ kind }) => kind === 'text' || kind === 'macro')) {
        leaveSelection(now.editor);
      }
      for (const dictated of all) {
        const reply =
          dictated.kind === 'stopDictation' ? stop() : carryOut(dictated, now.editor, spokenIn, now.kept.keep);
        if (reply) setMessage(reply);
      }
    });
  };
  const start = async () => {
    setMessage('');
    setState('starting');
    const obstacle = await engine.obstacleTo(language);
    if (latest.current.editor.isDestroyed) return;
    if (obstacle) {
      setState('idle');
      setMessage(messageForObstacle[obstacle]);
      return;
    }
    listening.current = listen(engine, language, {
      onState: setState,
      onInterim,
      onFinal: (words) => {
        const before = selectionsBefore.current ?? selections.now();
        selectionsBefore.current = undefined;
        take(words, language, before);
      },
      onError: setMessage,
      onUnsettled: (words) => latest.current.kept.keep(words),
    });
  };
  return { state, interim, message, kept: unplaced, start, stop, take, dismiss: () => setMessage('') };
};

/** Inserts an utterance or performs its command. Returns a message for the user on failure. */
const carryOut = (
  dictated: Dictated,
  editor: Editor,
  language: DictationLanguage,
  keep: (words: string) => void,
): string | undefined => {
  switch (dictated.kind) {
    case 'text': {
      // Without hands on the page, the study would seem abandoned.
      noteActivity();
      const rejected = insertDictated(editor, dictated.text, language);
      if (rejected) keep(rejected);
      return undefined;
    }
    case 'section':
      if (goToSection(editor, dictated.section)) return undefined;
      return noHeading(sectionNames[tongueOf(language)][dictated.section][0]);
    case 'nextField':
      return goToNextField(editor) ? undefined : t`The report has no unfilled field.`;
    case 'deleteThat':
      return replies[deleteDictated(editor)];
    case 'macro':
      return insertMacroByName(editor, dictated.name) ? undefined : noMacro(dictated.name);
    case 'stopDictation':
      return undefined;
  }
};

const noHeading = (heading = ''): string => t`This report has no heading “${heading}”. Nothing was inserted.`;
const noMacro = (name: string): string => t`There is no macro “${name}”. Nothing was inserted.`;

const replies = {
  deleted: undefined,
  changed: t`The last dictation was edited. Nothing was deleted.`,
  nothing: t`There is no dictation to delete.`,
} as const;
