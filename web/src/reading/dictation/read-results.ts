import type { SpeechEvents } from './speech-engine.ts';

/** Results of the Web Speech API, in their order. */
export type ResultEvent = { resultIndex: number; results: ArrayLike<Result> };
type Result = ArrayLike<{ transcript: string; confidence?: number }> & { isFinal: boolean };

/** Pause after which doubtful words are taken as final, in milliseconds. */
const pause = 800;

/** An utterance of final results without confidence, and the part of it that was already passed on. */
type Utterance = { index: number; words: string; passedOn: string };

/**
 * Reads the results of one run. Android Chrome calls every result final, with confidence 0, and each result repeats the
 * words before it (react-speech-recognition#18). Such words stay interim until a confident result, another utterance, a
 * pause or the end. If an engine sends interim results, its final results count at once.
 */
export const resultReader = (events: Pick<SpeechEvents, 'final' | 'interim'>) => {
  const finals = new Map<number, string>();
  const withInterim = new Set<number>();
  let open: Utterance | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const settle = () => {
    clearTimeout(timer);
    if (!open || open.words === open.passedOn) return;
    const more = remainder(open);
    open = { ...open, passedOn: open.words };
    events.final(more);
  };

  const readFinal = (index: number, words: string, confidence: number) => {
    if (finals.get(index) === words) return;
    finals.set(index, words);
    const isDoubtful = confidence === 0 && !withInterim.has(index);
    if (open && !withInterim.has(index) && isContinued(open, index, words)) {
      open = { ...open, index, words };
      if (!isDoubtful) settle();
      return;
    }
    settle();
    open = isDoubtful ? { index, words, passedOn: '' } : undefined;
    if (!isDoubtful) events.final(words);
  };

  const read = ({ resultIndex, results }: ResultEvent) => {
    const interim: string[] = [];
    for (const [index, result] of Array.from(results).entries()) {
      if (index < resultIndex) continue;
      const words = result[0]?.transcript ?? '';
      if (result.isFinal) readFinal(index, spaced(words), result[0]?.confidence ?? 1);
      else {
        withInterim.add(index);
        interim.push(words);
      }
    }
    clearTimeout(timer);
    const isHeld = open !== undefined && open.words !== open.passedOn;
    if (isHeld) timer = setTimeout(settleAndShow, pause);
    events.interim(spaced([open && isHeld ? remainder(open) : '', ...interim].join(' ')));
  };

  const settleAndShow = () => {
    settle();
    events.interim('');
  };

  return {
    read,
    /** Passes on the words that were held back. Call it before the engine is reported as ended. */
    settle,
    /** Forgets the words that were held back. */
    cancel: () => clearTimeout(timer),
  };
};

const spaced = (words: string) => words.replaceAll(/\s+/g, ' ').trim();

/** Engines change case and punctuation while an utterance grows. */
const plain = (words: string) =>
  words
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s]/gu, '')
    .trim();

/** Whether a result continues or corrects an utterance. A correction may change the last word. */
const isContinued = (open: Utterance, index: number, words: string): boolean => {
  const [before, after] = [plain(open.words), plain(words)];
  if (after.startsWith(before)) return true;
  if (open.passedOn !== '') return false;
  if (index === open.index) return true;
  const [old, fresh] = [before.split(' '), after.split(' ')];
  const isLonger = fresh.length >= old.length && old.length > 1;
  return isLonger && old.slice(0, -1).every((word, at) => word === fresh[at]);
};

/** Words of an utterance that were not passed on yet. */
const remainder = ({ words, passedOn }: Utterance): string => {
  if (passedOn === '') return words;
  if (words.toLowerCase().startsWith(passedOn.toLowerCase())) return words.slice(passedOn.length).trim();
  return words.split(' ').slice(passedOn.split(' ').length).join(' ');
};
