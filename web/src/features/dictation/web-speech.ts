import type { DictationLanguage } from '#editor/dictation-languages.ts';
import type { Destination, Obstacle, Recognition, SpeechEngine, SpeechEvents } from './speech-engine.ts';

/** What is used of the Web Speech API; browsers lack the newer parts of it. */
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

type ResultEvent = { resultIndex: number; results: ArrayLike<Result> };
type Result = ArrayLike<{ transcript: string }> & { isFinal: boolean };

type RecognitionClass = {
  new (): BrowserRecognition;
  available?: (options: { langs: string[]; processLocally: boolean }) => Promise<string>;
};

const recognitionClass = (): RecognitionClass | undefined =>
  Reflect.get(window, 'SpeechRecognition') ?? Reflect.get(window, 'webkitSpeechRecognition');

/** What the browser says of a language; undefined where it cannot be asked. */
const availability = async (language: DictationLanguage, processLocally: boolean): Promise<string | undefined> => {
  try {
    return await recognitionClass()?.available?.({ langs: [language], processLocally });
  } catch {
    // A policy or a half-built interface: what it may do is tried, and its own errors are shown then.
    return undefined;
  }
};

const isLocal = async (language: DictationLanguage) => (await availability(language, true)) === 'available';

/** Languages that were last found to be recognised on this computer; asked anew whenever dictation begins. */
const local = new Set<DictationLanguage>();

const destinationOf = async (language: DictationLanguage): Promise<Destination> => {
  const isHere = await isLocal(language);
  if (isHere) local.add(language);
  else local.delete(language);
  return isHere ? 'device' : 'vendor';
};

const isRefused = async (): Promise<boolean> => {
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' });
    return state === 'denied';
  } catch {
    // Not every browser lets one ask about the microphone.
    return false;
  }
};

const hasMicrophone = async (): Promise<boolean> => {
  try {
    const devices = await navigator.mediaDevices.enumerateDevices();
    return devices.some(({ kind }) => kind === 'audioinput');
  } catch {
    return true;
  }
};

const obstacleTo = async (language: DictationLanguage): Promise<Obstacle | undefined> => {
  if (!recognitionClass()) return 'unsupported';
  const isSomewhere = (await isLocal(language)) || (await availability(language, false)) !== 'unavailable';
  if (!isSomewhere) return 'unavailable';
  if (await isRefused()) return 'no-permission';
  return (await hasMicrophone()) ? undefined : 'no-microphone';
};

const start = (language: DictationLanguage, events: SpeechEvents): Recognition => {
  const Recognizer = recognitionClass();
  if (!Recognizer) throw new Error('This browser recognises no speech');
  const recognition = new Recognizer();
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.maxAlternatives = 1;
  // The voice then stays on this computer, or the engine refuses; it does not quietly go elsewhere.
  if (local.has(language)) recognition.processLocally = true;
  recognition.onstart = events.started;
  recognition.onresult = (event) => readResults(event, events);
  recognition.onerror = ({ error }) => events.error(error);
  recognition.onend = events.ended;
  recognition.start();
  return { stop: () => recognition.stop(), abort: () => recognition.abort() };
};

/** Results that are final come once, from `resultIndex` on; those behind them are still being heard. */
const readResults = ({ resultIndex, results }: ResultEvent, events: SpeechEvents) => {
  const changed = Array.from(results).slice(resultIndex);
  const words = ({ 0: best }: Result) => best?.transcript ?? '';
  for (const result of changed) if (result.isFinal) events.final(words(result));
  events.interim(
    changed
      .filter(({ isFinal }) => !isFinal)
      .map(words)
      .join(' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
};

/** The speech recognition of the browser (Web Speech API), on this computer where the browser can do it there. */
export const webSpeech: SpeechEngine = { destinationOf, obstacleTo, start };
