import type { Page } from '@playwright/test';

/**
 * Replaces the browser's speech recognizer with a scripted recognizer, from the next page load, and adds a microphone.
 * Events arrive in Chromium's order.
 */
export const standInForSpeech = (page: Page) =>
  page.addInitScript(() => {
    type Handler = ((event: unknown) => void) | null;
    class ScriptedRecognition {
      onstart: Handler = null;
      onresult: Handler = null;
      onerror: Handler = null;
      onend: Handler = null;
      lang = '';
      isOn = false;
      #results: { isFinal: boolean }[] = [];

      start() {
        if (this.isOn) throw new DOMException('already started', 'InvalidStateError');
        this.isOn = true;
        runs.push(this);
        queueMicrotask(() => this.onstart?.({}));
      }
      stop() {
        queueMicrotask(() => this.#end());
      }
      abort() {
        this.onerror?.({ error: 'aborted' });
        this.#end();
      }
      emitResult(transcript: string, isFinal: boolean) {
        const settled = this.#results.filter((result) => result.isFinal);
        this.#results = [...settled, Object.assign([{ transcript, confidence: 0.9 }], { isFinal })];
        this.onresult?.({ resultIndex: settled.length, results: this.#results });
      }
      fail(error: string) {
        this.onerror?.({ error });
        this.#end();
      }
      #end() {
        if (!this.isOn) return;
        this.isOn = false;
        this.onend?.({});
      }
    }
    const runs: ScriptedRecognition[] = [];
    Reflect.deleteProperty(window, 'SpeechRecognition');
    Object.assign(window, { webkitSpeechRecognition: ScriptedRecognition, runs });
    navigator.mediaDevices.enumerateDevices = () =>
      Promise.resolve([{ kind: 'audioinput', deviceId: '', groupId: '', label: '', toJSON: () => ({}) }]);
  });

type Act = { emitResult?: [words: string, isFinal: boolean]; fail?: string };

const act = (page: Page, action: Act) =>
  page.evaluate(({ emitResult, fail }) => {
    const runs: {
      isOn: boolean;
      emitResult: (words: string, isFinal: boolean) => void;
      fail: (code: string) => void;
    }[] = Reflect.get(window, 'runs');
    const listening = runs.find(({ isOn }) => isOn);
    if (!listening) throw new Error('Nobody listens');
    if (emitResult) listening.emitResult(...emitResult);
    if (fail) listening.fail(fail);
  }, action);

/** Sends an interim result, which may still change. */
export const sendInterim = (page: Page, words: string) => act(page, { emitResult: [words, false] });

/** Sends a final result. */
export const say = (page: Page, words: string) => act(page, { emitResult: [words, true] });

/** Sends an error, as the browser's recognizer would. */
export const failToHear = (page: Page, code: string) => act(page, { fail: code });

/** Number of starts, and whether it is listening now. */
export const listening = (page: Page): Promise<{ starts: number; isOn: boolean }> =>
  page.evaluate(() => {
    const runs: { isOn: boolean }[] = Reflect.get(window, 'runs') ?? [];
    return { starts: runs.length, isOn: runs.some(({ isOn }) => isOn) };
  });
