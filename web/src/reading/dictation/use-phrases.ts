import { t } from '@lingui/core/macro';
import { dictation as endpoints, longestContext } from '@radwork/contract/reading/dictation';
import type { Editor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { call, errorMessageOf } from '#core/http/api.ts';
import { tongueOf } from '#reading/editor/dictation/dictation-languages.ts';
import { noteUnwrittenPhrases } from '#reading/editor/dictation/unwritten-phrases.ts';
import { createPhraseQueue, type Phrase, type QueueState } from './phrases/phrase-queue.ts';
import { base64Of } from './phrases/wave-file.ts';
import { createServerSpeech } from './server-speech.ts';
import type { SelectionCount } from './use-selection-count.ts';

/** Time-out of a phrase in milliseconds, longer than the time limit of our server for the dictation server. */
const phrasePatience = 45_000;

/** Returns the last words before the cursor, from which the recognizer knows the context. */
const contextOf = (editor: Editor): string => {
  if (editor.isDestroyed) return '';
  const { doc, selection } = editor.state;
  return doc
    .textBetween(Math.max(0, selection.from - longestContext), selection.from, '\n', ' ')
    .slice(-longestContext);
};

type Options = {
  editor: Editor;
  studyId: string;
  selections: SelectionCount;
  onText: (text: string, phrase: Phrase) => void;
};

/**
 * Speech recognition by the dictation server for one editor. Phrases stay in memory until their text has arrived, the
 * user discards them, or `close` is called. Until then, the report cannot be signed.
 */
export const usePhrases = ({ editor, studyId, selections, onText }: Options) => {
  const [state, setState] = useState<QueueState>({ writing: 0, failure: undefined });
  const latest = useRef({ editor, studyId, onText });
  useEffect(() => {
    latest.current = { editor, studyId, onText };
  });
  // The queue reads the ref only when a phrase is sent or its text arrives, never while it is created.
  // oxlint-disable-next-line react/refs
  const [{ queue, engine }] = useState(() => {
    const created = createPhraseQueue({
      send: async ({ audio, language }, signal) => {
        const { text } = await call(
          endpoints.transcribe,
          { body: { audio: base64Of(audio), language: tongueOf(language), before: contextOf(latest.current.editor) } },
          { signal, timeout: phrasePatience },
        );
        return text;
      },
      onText: (text, phrase) => latest.current.onText(text, phrase),
      onChange: (changed) => {
        setState(changed);
        noteUnwrittenPhrases(latest.current.studyId, unwrittenIn(changed));
      },
      messageOf: (error) => errorMessageOf(error, t`Could not write the dictated words. Check the connection.`),
    });
    return { queue: created, engine: createServerSpeech(created.add, selections.now) };
  });
  return { engine, ...state, retry: queue.retry, discard: queue.discard, close: queue.close };
};

const unwrittenIn = ({ writing, failure }: QueueState) => {
  if (writing === 0) return undefined;
  return failure === undefined ? 'writing' : 'failed';
};
