import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';

/** Place of recognition: on this computer, or possibly at the browser's vendor. */
export type Destination = 'device' | 'vendor';

/** Why an engine cannot start, known before starting it. */
export type Obstacle = 'unsupported' | 'unavailable' | 'no-permission' | 'no-microphone';

/** Events of a listening engine. `started` comes first; `ended` comes last, exactly once. */
export type SpeechEvents = {
  started: () => void;
  /** All words that may still change, on every event. */
  interim: (words: string) => void;
  /** Words that no longer change. */
  final: (words: string) => void;
  /** A code of the Web Speech API, such as "no-speech". */
  error: (code: string) => void;
  ended: () => void;
};

export type Recognition = {
  /** Ends after the words said so far have become final. */
  stop: () => void;
  /** Ends at once. */
  abort: () => void;
};

/** Converts speech to text. The browser has one; a hospital's server could be another. */
export type SpeechEngine = {
  destinationOf: (language: DictationLanguage) => Promise<Destination>;
  obstacleTo: (language: DictationLanguage) => Promise<Obstacle | undefined>;
  /** Listens until stopped or until the engine ends. Throws when it cannot start. */
  start: (language: DictationLanguage, events: SpeechEvents) => Recognition;
};
