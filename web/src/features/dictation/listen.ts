import type { DictationLanguage } from '#editor/dictation-languages.ts';
import type { Recognition, SpeechEngine } from './speech-engine.ts';
import { failedToStart, isFatal, isSilence, messageForError } from './speech-errors.ts';

/** How long after an engine has ended by itself it is started again, in milliseconds. */
const restartAfter = 100;

/** So many failures without a word between them, and it is not tried again. */
const patience = 3;

export type ListeningState = 'idle' | 'starting' | 'listening';

type Listener = {
  onState: (state: ListeningState) => void;
  onInterim: (words: string) => void;
  onFinal: (words: string) => void;
  onError: (message: string) => void;
  /** Words that were heard and never became final before the engine ended. */
  onUnsettled: (words: string) => void;
};

export type Listening = {
  /** Listens no longer, and still takes what was said before. */
  stop: () => void;
  /** Listens no longer, at once; whoever asks for this hears nothing more, except of words that were not settled. */
  abort: () => void;
};

/**
 * Listens until it is stopped. Engines end by themselves after a pause; then they are started again, unless what they
 * reported would only repeat itself. Throws nothing: what fails is told to `onError`.
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
    // What we have ended ourselves is no error.
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
      // An engine that was asked before and still has not ended is not waited for any longer.
      if (!isWanted) return abort();
      isWanted = false;
      clearTimeout(timer);
      // Between two runs there is nothing that could still end.
      if (recognition) recognition.stop();
      else finish();
    },
    abort,
  };
};
