import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';
import type { Recognition, SpeechEngine } from './speech-engine.ts';
import { failedToStart, isFatal, isSilence, messageForError } from './speech-errors.ts';

/** Delay before an engine that has ended is restarted, in milliseconds. */
const restartAfter = 100;

/** Number of failures in a row, without a recognized word between them, after which listening stops. */
const patience = 3;

export type ListeningState = 'idle' | 'starting' | 'listening';

type Listener = {
  onState: (state: ListeningState) => void;
  onInterim: (words: string) => void;
  onFinal: (words: string) => void;
  onError: (message: string) => void;
  /** Receives words that were not final when the engine ended. */
  onUnsettled: (words: string) => void;
};

export type Listening = {
  /** Stops listening. Words said before are still recognized. */
  stop: () => void;
  /** Stops at once. After this, only `onUnsettled` is called. */
  abort: () => void;
};

/**
 * Listens until stopped. Engines end at a pause in speech, so they are restarted, except after an error that would
 * recur. Never throws: errors go to `onError`.
 */
export const listen = (engine: SpeechEngine, language: DictationLanguage, listener: Listener): Listening => {
  let recognition: Recognition | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = true;
  let isOver = false;
  let failures = 0;
  let unsettled = '';

  const settle = () => {
    if (unsettled) listener.onUnsettled(unsettled);
    unsettled = '';
  };

  const finish = () => {
    isOver = true;
    isWanted = false;
    clearTimeout(timer);
    listener.onState('idle');
  };

  const begin = () => {
    let isEnded = false;
    const whileCurrent = (act: () => void) => {
      if (!isOver && !isEnded) act();
    };
    try {
      const started = engine.start(language, {
        started: () => whileCurrent(() => listener.onState('listening')),
        interim: (words) =>
          whileCurrent(() => {
            unsettled = words;
            listener.onInterim(words);
          }),
        final: (words) =>
          whileCurrent(() => {
            failures = 0;
            unsettled = '';
            listener.onFinal(words);
          }),
        error: (code) => whileCurrent(() => noteError(code)),
        ended: () =>
          whileCurrent(() => {
            isEnded = true;
            end();
          }),
      });
      if (!isEnded) recognition = started;
    } catch {
      listener.onError(failedToStart);
      finish();
    }
  };

  const noteError = (code: string) => {
    // After `abort`, the engine reports this code, which is then not an error.
    if (code === 'aborted' && !isWanted) return;
    if (!isSilence(code)) failures += 1;
    if (isFatal(code) || failures >= patience) isWanted = false;
    listener.onError(messageForError(code));
  };

  const end = () => {
    recognition = undefined;
    listener.onInterim('');
    settle();
    if (isWanted) timer = setTimeout(begin, restartAfter);
    else finish();
  };

  listener.onState('starting');
  begin();
  const abort = () => {
    if (isOver) return;
    settle();
    listener.onInterim('');
    finish();
    recognition?.abort();
  };
  return {
    stop: () => {
      if (isOver) return;
      // A second call of `stop` aborts an engine that has not ended yet.
      if (!isWanted) return abort();
      isWanted = false;
      clearTimeout(timer);
      // Between two runs no engine exists.
      if (recognition) recognition.stop();
      else finish();
    },
    abort,
  };
};
