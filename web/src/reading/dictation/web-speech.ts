import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';
import { microphoneObstacle } from './microphone-obstacle.ts';
import { type ResultEvent, resultReader } from './read-results.ts';
import type { Destination, Obstacle, Recognition, SpeechEngine, SpeechEvents } from './speech-engine.ts';

/** The part of the Web Speech API that is used here. Some browsers lack the newer members. */
type BrowserRecognition = {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  maxAlternatives: number;
  processLocally?: boolean;
  onstart: (() => void) | null;
  onresult: ((event: ResultEvent) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start: () => void;
  stop: () => void;
  abort: () => void;
};

type RecognitionClass = {
  new (): BrowserRecognition;
  available?: (options: { langs: string[]; processLocally: boolean }) => Promise<string>;
};

const recognitionClass = (): RecognitionClass | undefined =>
  Reflect.get(window, 'SpeechRecognition') ?? Reflect.get(window, 'webkitSpeechRecognition');

/** Returns whether a language is available; undefined where the browser cannot answer. */
const availability = async (language: DictationLanguage, processLocally: boolean): Promise<string | undefined> => {
  try {
    return await recognitionClass()?.available?.({ langs: [language], processLocally });
  } catch {
    // A policy or an incomplete API caused the error. Dictation is tried anyway, and its own errors are shown.
    return undefined;
  }
};

const isLocal = async (language: DictationLanguage) => (await availability(language, true)) === 'available';

/** Languages that this computer recognizes without the vendor. Updated at every start. */
const local = new Set<DictationLanguage>();

const destinationOf = async (language: DictationLanguage): Promise<Destination> => {
  const isHere = await isLocal(language);
  if (isHere) local.add(language);
  else local.delete(language);
  return isHere ? 'device' : 'vendor';
};

const obstacleTo = async (language: DictationLanguage): Promise<Obstacle | undefined> => {
  if (!recognitionClass()) return 'unsupported';
  const isSomewhere = (await isLocal(language)) || (await availability(language, false)) !== 'unavailable';
  if (!isSomewhere) return 'unavailable';
  return microphoneObstacle();
};

const start = (language: DictationLanguage, events: SpeechEvents): Recognition => {
  const Recognizer = recognitionClass();
  if (!Recognizer) throw new Error('This browser recognises no speech');
  const recognition = new Recognizer();
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.maxAlternatives = 1;
  // If speech cannot be recognized on this computer, the engine must fail: audio must never go to the vendor without notice.
  if (local.has(language)) recognition.processLocally = true;
  recognition.onstart = events.started;
  const reader = resultReader(events);
  recognition.onresult = reader.read;
  recognition.onerror = ({ error }) => events.error(error);
  recognition.onend = () => {
    reader.settle();
    events.ended();
  };
  recognition.start();
  return {
    stop: () => recognition.stop(),
    abort: () => {
      reader.cancel();
      recognition.abort();
    },
  };
};

/** Whether this browser has a recognizer of its own. */
export const hasWebSpeech = (): boolean => recognitionClass() !== undefined;

/** Speech recognition of the browser (Web Speech API), on this computer where supported. */
export const webSpeech: SpeechEngine = { destinationOf, obstacleTo, start };
