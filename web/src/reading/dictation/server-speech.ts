import { phraseSampleRate } from '@radwork/contract/reading/dictation';
import type { DictationLanguage } from '#reading/editor/dictation/dictation-languages.ts';
import { type Microphone, type OpenMicrophone, openMicrophone } from './phrases/open-microphone.ts';
import type { Phrase } from './phrases/phrase-queue.ts';
import { createResampler } from './phrases/resample.ts';
import { createPhraseSplitter } from './phrases/split-phrases.ts';
import { waveFile } from './phrases/wave-file.ts';
import { microphoneObstacle } from './microphone-obstacle.ts';
import type { Obstacle, Recognition, SpeechEngine, SpeechEvents } from './speech-engine.ts';

/** Error codes of the Web Speech API for the errors of getUserMedia. */
const codes: Record<string, string> = {
  NotAllowedError: 'not-allowed',
  SecurityError: 'not-allowed',
  NotFoundError: 'audio-capture',
  OverconstrainedError: 'audio-capture',
  NotReadableError: 'audio-capture',
};

const codeOf = (error: unknown): string => {
  const isNamed = typeof error === 'object' && error !== null && 'name' in error;
  return (isNamed && codes[String(error.name)]) || 'audio-capture';
};

/**
 * Speech recognition by the dictation server of the organization. Records phrases and passes them to `add`; their texts
 * arrive later, also after the recording has ended. `add` returns false when it cannot take a phrase. `selections`
 * returns the number of selections that the user has made so far.
 */
export const createServerSpeech = (
  add: (phrase: Phrase) => boolean,
  selections: () => number,
  open: OpenMicrophone = openMicrophone,
): SpeechEngine => ({
  destinationOf: () => Promise.resolve('server'),
  obstacleTo: async (): Promise<Obstacle | undefined> => {
    const isSupported = 'AudioWorkletNode' in window && navigator.mediaDevices !== undefined;
    return isSupported ? microphoneObstacle() : 'no-recording';
  },
  start: (language, events) => record(language, events, { add, selections, open }),
});

type Terms = { add: (phrase: Phrase) => boolean; selections: () => number; open: OpenMicrophone };

const record = (language: DictationLanguage, events: SpeechEvents, { add, selections, open }: Terms): Recognition => {
  let microphone: Microphone | undefined;
  let isOver = false;
  let isBehind = false;
  let selectionsBefore = selections();

  const end = (code?: string) => {
    if (isOver) return;
    // Comes first, because the last phrase calls this function again if it is not taken.
    isOver = true;
    splitter.flush();
    microphone?.close();
    const error = code ?? (isBehind ? 'server-behind' : undefined);
    if (error) events.error(error);
    events.ended();
  };
  const splitter = createPhraseSplitter(phraseSampleRate, {
    onPhrase: (samples) => {
      if (add({ audio: waveFile(samples), language, selections: selectionsBefore })) return;
      isBehind = true;
      end();
    },
    onSpeech: (isSpeaking) => {
      // A phrase has the number of selections at its beginning, not that at its end.
      if (isSpeaking) selectionsBefore = selections();
    },
  });
  const begin = async () => {
    let resample: ((samples: Float32Array) => Float32Array) | undefined;
    const opened = await open({
      onSamples: (samples) => {
        if (!isOver && resample) splitter.add(resample(samples));
      },
      onLost: () => end('audio-capture'),
    });
    if (isOver) return opened.close();
    microphone = opened;
    resample = createResampler(opened.rate, phraseSampleRate);
    events.started();
  };
  begin().catch((error: unknown) => end(codeOf(error)));
  // An abort drops the sound of a phrase and does not send it, because its text would have no place.
  const abort = () => {
    if (isOver) return;
    isOver = true;
    microphone?.close();
    events.ended();
  };
  // The words said before a stop are in memory and become text.
  return { stop: () => end(), abort };
};
