import type { Page } from '@playwright/test';

/**
 * Puts a recogniser that a journey lets hear what it wants in place of the browser's, from the next page load on, and a
 * microphone beside it. It tells things in the order in which Chromium does; the page knows nothing of it.
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
      tell(transcript: string, isFinal: boolean) {
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

type Act = { tell?: [words: string, isFinal: boolean]; fail?: string };

const act = (page: Page, wanted: Act) =>
  page.evaluate(({ tell, fail }) => {
    const runs: { isOn: boolean; tell: (words: string, isFinal: boolean) => void; fail: (code: string) => void }[] =
      Reflect.get(window, 'runs');
    const listening = runs.find(({ isOn }) => isOn);
    if (!listening) throw new Error('Nobody listens');
    if (tell) listening.tell(...tell);
    if (fail) listening.fail(fail);
  }, wanted);

/** Lets the recogniser hear words that may still change. */
export const hear = (page: Page, words: string) => act(page, { tell: [words, false] });

/** Lets it hear words that do not change any more. */
export const say = (page: Page, words: string) => act(page, { tell: [words, true] });

/** Lets it fail as the browser's own would. */
export const failToHear = (page: Page, code: string) => act(page, { fail: code });

/** How often the recogniser was started, and whether it listens now. */
export const listening = (page: Page): Promise<{ starts: number; isOn: boolean }> =>
  page.evaluate(() => {
    const runs: { isOn: boolean }[] = Reflect.get(window, 'runs') ?? [];
    return { starts: runs.length, isOn: runs.some(({ isOn }) => isOn) };
  });
