import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { SentText } from '@radwork/contract/drafting';
import { extractReasoningMiddleware, generateText, type LanguageModel, streamText, wrapLanguageModel } from 'ai';
import type { Drafter } from './drafter.ts';
import { promptFor } from './prompts.ts';
import { empty, type Place, providerFailure, stoppedEarly, tooLate } from './provider-failure.ts';

export type ModelSettings = {
  provider: 'GEMINI' | 'OPENAI';
  /** How people call the provider. */
  name: string;
  model: string;
  /** The address before what the protocol adds to it, such as "https://models.lan/v1". */
  baseUrl: string;
  /** Empty for a server that asks for none. */
  key: string;
};

/** A drafter, and the same asked with words of our own, to see whether it works. */
export type ModelDrafter = Drafter & { ask: (sent: SentText, signal: AbortSignal) => Promise<string> };

/** How long a whole answer, and each piece of one that comes in pieces, may take, in milliseconds. */
const usualPatience = 30_000;
/** An answer in pieces that is still not complete after so many times the patience never will be. */
const longestInPatiences = 4;

/** Says on our standard output what it thinks of models; the log is for errors. */
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

/**
 * A model of Gemini or of any server that speaks OpenAI's protocol. `fetch` is the way out. Nothing is asked twice:
 * a second try would be paid for, too.
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

/** Always an object: a bare name would make the library call the gateway of its vendor. */
const modelOf = ({ provider, model, baseUrl, key }: ModelSettings, fetch: typeof globalThis.fetch): LanguageModel => {
  const address = { baseURL: baseUrl, fetch };
  if (provider === 'GEMINI') return createGoogleGenerativeAI({ ...address, apiKey: key })(model);
  const own = createOpenAICompatible({ ...address, name: 'own', ...(key !== '' && { apiKey: key }) })(model);
  // Models of one's own often think aloud before they answer.
  return wrapLanguageModel({ model: own, middleware: extractReasoningMiddleware({ tagName: 'think' }) });
};

/** A signal that is aborted when nobody has restarted the clock for so long, in milliseconds. */
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
