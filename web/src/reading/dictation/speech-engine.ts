import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';

/**
 * Place of speech recognition: this computer, the dictation server of the organization, or possibly a server of the
 * browser's vendor.
 */
export type Destination = 'device' | 'server' | 'vendor';

/** Reason why an engine cannot start, known before the start. */
export type Obstacle = 'unsupported' | 'unavailable' | 'no-permission' | 'no-microphone' | 'no-recording';

/** Callbacks of a listening engine. `started` comes first; `ended` comes last, exactly once. */
export type SpeechEvents = {
  started: () => void;
  /** Called with all words that may still change, at every event. */
  interim: (words: string) => void;
  /** Called with words that no longer change. */
  final: (words: string) => void;
  /** Called with an error code of the Web Speech API, such as "no-speech". */
  error: (code: string) => void;
  ended: () => void;
};

export type Recognition = {
  /** Stops listening. Words said so far still become final. */
  stop: () => void;
  /** Stops listening at once. */
  abort: () => void;
};

/** Converts speech to text: the recognizer of the browser, or the dictation server of the organization. */
export type SpeechEngine = {
  destinationOf: (language: DictationLanguage) => Promise<Destination>;
  obstacleTo: (language: DictationLanguage) => Promise<Obstacle | undefined>;
  /** Listens until stopped or until the engine ends. Throws when it cannot start. */
  start: (language: DictationLanguage, events: SpeechEvents) => Recognition;
};
