/** Callbacks of a splitter. Samples are between -1 and 1. */
export type PhraseEvents = {
  /** Called with each complete phrase, from shortly before its first word to shortly after its last. */
  onPhrase: (samples: Float32Array) => void;
  /** Called when speech begins and ends. */
  onSpeech?: (isSpeaking: boolean) => void;
};

export type PhraseSplitter = {
  add: (samples: Float32Array) => void;
  /** Ends the phrase in progress, as a pause would. */
  flush: () => void;
};

/** Length of a frame in milliseconds. The loudness of each frame decides. */
const frameTime = 20;
const framesIn = (milliseconds: number): number => Math.round(milliseconds / frameTime);

/** Pause that ends a phrase. Shorter pauses occur inside sentences. */
const pauseFrames = framesIn(700);
/** Sound to keep before and after the words, because words begin and end softly. */
const beforeFrames = framesIn(300);
const afterFrames = framesIn(300);
/** Shortest speech. A click or a key is shorter. */
const fewestVoicedFrames = framesIn(100);
/** Length at which a phrase is split without a pause, at the quietest frame of its last seconds. */
const longestFrames = framesIn(25_000);
const splitWindow = framesIn(4000);
/** Time over which the background noise is measured. Speech of this length always has a gap between two words. */
const noiseFrames = framesIn(5000);

/** Levels in decibels relative to full scale. */
const quietestNoise = -62;
const loudestNoise = -28;
/** Highest level that counts as noise before enough frames are known. The reader may speak at once. */
const loudestFirstNoise = -48;
/** Decibels above the noise at which speech begins, and below which it ends. */
const beginsAbove = 9;
const endsBelow = 6;

const levelOf = (frame: Float32Array): number => {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  return 10 * Math.log10(sum / frame.length + 1e-12);
};

/**
 * Splits sound at pauses in speech, by its loudness relative to the noise of the room. `rate` is the sample rate in Hz.
 * Holds at most one phrase in memory.
 */
export const createPhraseSplitter = (rate: number, { onPhrase, onSpeech }: PhraseEvents): PhraseSplitter => {
  const frameLength = Math.round((rate * frameTime) / 1000);
  let rest = new Float32Array(0);
  /** Frames of the phrase in progress, or before a phrase the latest frames. */
  let frames: { samples: Float32Array; level: number }[] = [];
  let noiseLevels: number[] = [];
  let isSpeaking = false;
  let voiced = 0;
  let silent = 0;

  const noise = (): number => {
    const lowest = Math.min(...noiseLevels);
    const highest = noiseLevels.length < noiseFrames ? loudestFirstNoise : loudestNoise;
    return Math.min(highest, Math.max(quietestNoise, lowest));
  };

  const forget = () => {
    frames = frames.slice(-beforeFrames);
    voiced = 0;
    silent = 0;
    if (isSpeaking) onSpeech?.(false);
    isSpeaking = false;
  };

  const end = () => {
    if (isSpeaking && voiced >= fewestVoicedFrames) {
      const end = frames.length - Math.max(0, silent - afterFrames);
      onPhrase(joined(frames.slice(0, end)));
    }
    forget();
  };

  /** Passes on the part before the quietest frame, and continues with the part after it. */
  const split = () => {
    const from = frames.length - splitWindow;
    let quietest = from;
    for (let at = from; at < frames.length; at += 1) {
      if ((frames[at]?.level ?? 0) < (frames[quietest]?.level ?? 0)) quietest = at;
    }
    onPhrase(joined(frames.slice(0, quietest)));
    frames = frames.slice(quietest);
    voiced = frames.length;
    silent = 0;
  };

  const addFrame = (samples: Float32Array) => {
    const level = levelOf(samples);
    noiseLevels = [...noiseLevels.slice(1 - noiseFrames), level];
    const threshold = noise() + (isSpeaking ? endsBelow : beginsAbove);
    const isLoud = level > threshold;
    frames.push({ samples, level });
    if (!isSpeaking) {
      if (!isLoud) {
        frames = frames.slice(-beforeFrames);
        return;
      }
      isSpeaking = true;
      onSpeech?.(true);
    }
    if (isLoud) voiced += 1;
    silent = isLoud ? 0 : silent + 1;
    if (silent >= pauseFrames) end();
    else if (frames.length >= longestFrames) split();
  };

  return {
    add: (samples) => {
      const all = new Float32Array(rest.length + samples.length);
      all.set(rest);
      all.set(samples, rest.length);
      let at = 0;
      for (; at + frameLength <= all.length; at += frameLength) addFrame(all.slice(at, at + frameLength));
      rest = all.slice(at);
    },
    flush: end,
  };
};

const joined = (frames: readonly { samples: Float32Array }[]): Float32Array => {
  const length = frames.reduce((sum, { samples }) => sum + samples.length, 0);
  const all = new Float32Array(length);
  let at = 0;
  for (const { samples } of frames) {
    all.set(samples, at);
    at += samples.length;
  }
  return all;
};
