import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';

/** A recorded phrase. `selections` is the number of selections that the user had made when it began. */
export type Phrase = { audio: Uint8Array; language: DictationLanguage; selections: number };

/** State of the queue on screen: the number of phrases that wait or are being written, and the failure of the first. */
export type QueueState = { writing: number; failure: string | undefined };

export type QueueTerms = {
  /** Converts a phrase to text. Throws an error whose message names the cause. */
  send: (phrase: Phrase, signal: AbortSignal) => Promise<string>;
  onText: (text: string, phrase: Phrase) => void;
  onChange: (state: QueueState) => void;
  messageOf: (error: unknown) => string;
};

export type PhraseQueue = {
  /** Adds a phrase. Returns false if the queue is full or closed and the phrase is not taken. */
  add: (phrase: Phrase) => boolean;
  /** Sends the failed phrase again. */
  retry: () => void;
  /** Drops the failed phrase and continues with the next. */
  discard: () => void;
  /** Drops all phrases, ends the call in progress and takes no further phrase. */
  close: () => void;
};

/** Most phrases in memory: about five minutes of speech, 10 MB. */
export const mostPhrases = 40;

const nothing: QueueState = { writing: 0, failure: undefined };

/**
 * Sends phrases one after another, so that their texts arrive in the order of speech and each phrase knows the text
 * before it. When a phrase fails, the later phrases wait: a text with a hole could say the opposite. Phrases exist only
 * in memory.
 */
export const createPhraseQueue = ({ send, onText, onChange, messageOf }: QueueTerms): PhraseQueue => {
  let phrases: Phrase[] = [];
  let failure: string | undefined;
  let call: AbortController | undefined;
  let isClosed = false;

  const tell = () => onChange(phrases.length === 0 ? nothing : { writing: phrases.length, failure });

  const sendFirst = async () => {
    const [first] = phrases;
    if (!first || call || failure !== undefined) return;
    const controller = new AbortController();
    call = controller;
    const answer = await send(first, controller.signal).then(
      (text) => ({ text }),
      (error: unknown) => ({ error }),
    );
    if (controller.signal.aborted) return;
    call = undefined;
    if ('error' in answer) {
      failure = messageOf(answer.error);
      return tell();
    }
    phrases = phrases.slice(1);
    tell();
    if (answer.text !== '') onText(answer.text, first);
    void sendFirst();
  };

  const goOn = () => {
    failure = undefined;
    tell();
    void sendFirst();
  };

  return {
    add: (phrase) => {
      if (isClosed || phrases.length >= mostPhrases) return false;
      phrases = [...phrases, phrase];
      tell();
      void sendFirst();
      return true;
    },
    retry: () => {
      if (failure !== undefined) goOn();
    },
    discard: () => {
      if (failure === undefined) return;
      phrases = phrases.slice(1);
      goOn();
    },
    close: () => {
      isClosed = true;
      call?.abort();
      call = undefined;
      phrases = [];
      failure = undefined;
      tell();
    },
  };
};
