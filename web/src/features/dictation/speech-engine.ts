import type { DictationLanguage } from '#editor/dictation-languages.ts';

/** Where the voice is turned into words: on this computer, or possibly at the vendor of the browser. */
export type Destination = 'device' | 'vendor';

/** Why an engine cannot begin, known before it is asked to. */
export type Obstacle = 'unsupported' | 'unavailable' | 'no-permission' | 'no-microphone';

/** What an engine tells while it listens. `started` comes first, `ended` last and once, whatever happened. */
export type SpeechEvents = {
  started: () => void;
  /** Words that may still change; each time all of those that are not final yet. */
  interim: (words: string) => void;
  /** Words that do not change any more. */
  final: (words: string) => void;
  /** A code of the Web Speech API, such as "no-speech". */
  error: (code: string) => void;
  ended: () => void;
};

export type Recognition = {
  /** Ends after what was said so far has become final. */
  stop: () => void;
  /** Ends at once. */
  abort: () => void;
};

/** Something that turns speech into words. The browser's own is one; a hospital's own server could be another. */
export type SpeechEngine = {
  destinationOf: (language: DictationLanguage) => Promise<Destination>;
  obstacleTo: (language: DictationLanguage) => Promise<Obstacle | undefined>;
  /** Listens until it is stopped or the engine ends by itself. Throws when it cannot begin. */
  start: (language: DictationLanguage, events: SpeechEvents) => Recognition;
};
