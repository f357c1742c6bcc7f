import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { SentText } from '@radwork/contract/reading/drafting';
import { extractReasoningMiddleware, generateText, type LanguageModel, streamText, wrapLanguageModel } from 'ai';
import type { Drafter } from './drafter.ts';
import { promptFor } from './prompts.ts';
import { empty, type Place, providerFailure, stoppedEarly, tooLate } from './provider-failure.ts';

export type ModelSettings = {
  provider: 'GEMINI' | 'OPENAI';
  /** Name of the provider in messages. */
  name: string;
  model: string;
  /** Base URL, to which the protocol adds its paths, such as "https://models.lan/v1". */
  baseUrl: string;
  /** Empty if the server needs no key. */
  key: string;
};

/** A drafter that can also send a prompt as it is, to test the provider. */
export type ModelDrafter = Drafter & { ask: (sent: SentText, signal: AbortSignal) => Promise<string> };

/** Time limit in milliseconds for a whole answer, or for the next piece of a streamed answer. */
const usualPatience = 30_000;
/** Number of these time limits within which a streamed answer must be complete. */
const longestInPatiences = 4;

/** Turns off the library's warnings about models, which it prints to standard output. */
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/**
 * Creates a drafter for Gemini, or for a server with the protocol of OpenAI. `fetch` makes the outgoing calls. Does not
 * retry, because each call costs money.
 */
export const createModelDrafter = (
  settings: ModelSettings,
  fetch: typeof globalThis.fetch,
  patience = usualPatience,
): ModelDrafter => {
  const model = modelOf(settings, fetch);
  const place: Place = { name: settings.name, model: settings.model, seconds: Math.ceil(patience / 1000) };
  const limits = { maxRetries: 0, streamRetries: 0 };

  const ask = async ({ instructions, prompt }: SentText, signal: AbortSignal) => {
    const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    try {
      const { text, finishReason } = await generateText({ model, instructions, prompt, abortSignal, maxRetries: 0 });
      if (finishReason !== 'stop') throw stoppedEarly(finishReason, place);
      if (text.trim() === '') throw empty(place);
      return text.trim();
    } catch (error) {
      throw signal.aborted ? signal.reason : providerFailure(error, place);
    }
  };

  async function* stream({ instructions, prompt }: SentText, signal: AbortSignal): AsyncGenerator<string> {
    const clock = startClock(patience);
    const abortSignal = AbortSignal.any([signal, clock.signal, AbortSignal.timeout(patience * longestInPatiences)]);
    let isEmpty = true;
    try {
      const answer = streamText({ model, instructions, prompt, abortSignal, ...limits, onError: () => {} });
      for await (const part of answer.fullStream) {
        clock.restart();
        if (part.type === 'error') throw part.error;
        if (part.type === 'abort') throw tooLate(place);
        if (part.type === 'finish' && part.finishReason !== 'stop') throw stoppedEarly(part.finishReason, place);
        if (part.type !== 'text-delta' || part.text === '') continue;
        isEmpty &&= part.text.trim() === '';
        yield part.text;
      }
      if (isEmpty) throw empty(place);
    } catch (error) {
      throw signal.aborted ? signal.reason : providerFailure(error, place);
    } finally {
      clock.stop();
    }
  }

  return {
    provider: settings.provider,
    model: settings.model,
    ask,
    sentFor: promptFor,
    answer: (request, signal) => ask(promptFor(request), signal),
    pieces: (request, signal) => stream(promptFor(request), signal),
  };
};

/**
 * Returns the model as an object, never as a name. With only a name, the library would call the gateway of its vendor.
 */
const modelOf = ({ provider, model, baseUrl, key }: ModelSettings, fetch: typeof globalThis.fetch): LanguageModel => {
  const address = { baseURL: baseUrl, fetch };
  if (provider === 'GEMINI') return createGoogleGenerativeAI({ ...address, apiKey: key })(model);
  const own = createOpenAICompatible({ ...address, name: 'own', ...(key !== '' && { apiKey: key }) })(model);
  // Self-hosted models often write their reasoning before the answer.
  return wrapLanguageModel({ model: own, middleware: extractReasoningMiddleware({ tagName: 'think' }) });
};

/** Creates a signal that aborts after `patience` milliseconds. Each call of `restart` starts this time again. */
const startClock = (patience: number) => {
  const controller = new AbortController();
  const expire = () => controller.abort(new DOMException('Too late', 'TimeoutError'));
  let timer = setTimeout(expire, patience);
  return {
    signal: controller.signal,
    restart: () => {
      clearTimeout(timer);
      timer = setTimeout(expire, patience);
    },
    stop: () => clearTimeout(timer),
  };
};
