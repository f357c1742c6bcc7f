import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';
import type { Recognition, SpeechEngine } from './speech-engine.ts';
import { failedToStart, isFatal, isSilence, messageForError } from './speech-errors.ts';

/** Delay before an engine that has ended is restarted, in milliseconds. */
const restartAfter = 100;

/** Number of failures without a word between them, after which it stops. */
const patience = 3;

export type ListeningState = 'idle' | 'starting' | 'listening';

type Listener = {
  onState: (state: ListeningState) => void;
  onInterim: (words: string) => void;
  onFinal: (words: string) => void;
  onError: (message: string) => void;
  /** Receives words that never became final before the engine ended. */
  onUnsettled: (words: string) => void;
};

export type Listening = {
  /** Stops listening and still takes the words said before. */
  stop: () => void;
  /** Stops at once. Afterwards only `onUnsettled` is called. */
  abort: () => void;
};

/**
 * Listens until stopped. Engines end after a pause and are restarted, unless their error would repeat. Never throws:
 * errors go to `onError`.
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
    // Our own abort is not an error.
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
      // The second call ends an engine that has not stopped yet.
      if (!isWanted) return abort();
      isWanted = false;
      clearTimeout(timer);
      // Between two runs there is no engine to stop.
      if (recognition) recognition.stop();
      else finish();
    },
    abort,
  };
};
