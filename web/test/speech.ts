import { act } from '@testing-library/react';
import { onTestFinished, vi } from 'vitest';

type Event = { resultIndex: number; results: object[] };

/**
 * Simulates a speech recognizer. Its events come in the order of Chromium: start, results that grow until final, and
 * end. An error comes directly before the end.
 */
export class SpeechStandIn {
  static readonly made: SpeechStandIn[] = [];
  static refusesToStart = false;

  lang = '';
  continuous = false;
  interimResults = false;
  maxAlternatives = 0;
  processLocally?: boolean;
  onstart: (() => void) | null = null;
  onresult: ((event: Event) => void) | null = null;
  onerror: ((event: { error: string }) => void) | null = null;
  onend: (() => void) | null = null;
  isOn = false;
  #results: object[] = [];

  constructor() {
    SpeechStandIn.made.push(this);
  }

  /** Recognizer that is listening at present. */
  static get current(): SpeechStandIn {
    const last = SpeechStandIn.made.at(-1);
    if (!last) throw new Error('Nobody has begun to listen');
    return last;
  }

  start(): void {
    if (this.isOn || SpeechStandIn.refusesToStart) throw new DOMException('already started', 'InvalidStateError');
    this.isOn = true;
    queueMicrotask(() => act(() => this.onstart?.()));
  }

  stop(): void {
    queueMicrotask(() => act(() => this.#end()));
  }

  abort(): void {
    this.onerror?.({ error: 'aborted' });
    this.#end();
  }

  /** Sends an interim result, which may still change. */
  hears(words: string): void {
    this.#tell(words, false);
  }

  /** Sends a final result. */
  understands(words: string): void {
    this.#tell(words, true);
  }

  /** Sends a result as Android Chrome does: final, without confidence, with all words so far. */
  doubts(transcript: string): void {
    const results = [Object.assign([{ transcript, confidence: 0 }], { isFinal: true })];
    act(() => this.onresult?.({ resultIndex: 0, results }));
  }

  fails(error: string): void {
    act(() => {
      this.onerror?.({ error });
      this.#end();
    });
  }

  /** Ends without a request, as recognizers do after a pause in speech. */
  pauses(): void {
    act(() => this.#end());
  }

  #tell(transcript: string, isFinal: boolean): void {
    const settled = this.#results.filter((result) => 'isFinal' in result && result.isFinal);
    this.#results = [...settled, Object.assign([{ transcript, confidence: 0.9 }], { isFinal })];
    act(() => this.onresult?.({ resultIndex: settled.length, results: this.#results }));
  }

  #end(): void {
    if (!this.isOn) return;
    this.isOn = false;
    this.onend?.();
  }
}

/** Installs the simulated recognizer and a microphone. `available` answers as the browser would. */
export const standInForSpeech = (
  available?: (options: { processLocally: boolean }) => string,
): typeof SpeechStandIn => {
  SpeechStandIn.made.length = 0;
  SpeechStandIn.refusesToStart = false;
  Object.assign(SpeechStandIn, {
    available: available && ((options: { processLocally: boolean }) => Promise.resolve(available(options))),
  });
  vi.stubGlobal('webkitSpeechRecognition', SpeechStandIn);
  withDevices([{ kind: 'audioinput' }]);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  return SpeechStandIn;
};

export const withDevices = (devices: { kind: string }[], permission = 'prompt'): void => {
  vi.stubGlobal('navigator', {
    userAgent: window.navigator.userAgent,
    clipboard: window.navigator.clipboard,
    mediaDevices: { enumerateDevices: () => Promise.resolve(devices) },
    permissions: { query: () => Promise.resolve({ state: permission }) },
  });
};
