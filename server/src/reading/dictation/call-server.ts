import type { ReportLanguage } from '@radwork/contract/reading/report-sections';
import { z } from 'zod';
import { Problem } from '#core/http/problem.ts';
import type { Outgoing } from '#core/outgoing/open-outgoing.ts';
import { type Place, serverFailure, statusFailure, unreadable } from './server-failure.ts';

/** A server with the transcription call of OpenAI. `key` is empty if it needs none. */
export type DictationServer = { url: string; model: string; key: string };

export type Phrase = { wave: Buffer; language: ReportLanguage; prompt: string };

/** Time limit in milliseconds for an answer. A server without a graphics card may need several seconds. */
export const usualPatience = 30_000;

/** Largest answer in bytes. A phrase of 30 seconds has about 100 words. */
const largestAnswer = 256 << 10;
const longestText = 5000;

const answerOf = z.object({ text: z.string().max(longestText) });

export const placeOf = ({ url }: Pick<DictationServer, 'url'>, patience: number): Place => ({
  host: URL.canParse(url) ? new URL(url).host : '',
  seconds: Math.ceil(patience / 1000),
});

/**
 * Sends a phrase as a form (OpenAI API, "Create transcription") and returns the text. The audio exists only in memory.
 * Throws Problem with status 502, 503 or 504, which names the dictation server.
 */
export const callServer = async (
  outgoing: Outgoing,
  tenant: { id: number; subdomain: string },
  server: DictationServer,
  phrase: Phrase,
  { signal, patience }: { signal: AbortSignal; patience: number },
): Promise<string> => {
  const place = placeOf(server, patience);
  const { body, contentType } = await formOf(server, phrase);
  try {
    const answer = await outgoing.fetch(tenant, `${server.url}/audio/transcriptions`, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        accept: 'application/json',
        ...(server.key !== '' && { authorization: `Bearer ${server.key}` }),
      },
      body,
      signal,
      mostBytes: largestAnswer,
      mayThink: true,
    });
    if (answer.status < 200 || answer.status >= 300) {
      answer.discard();
      throw statusFailure(answer.status, place);
    }
    return textOf(await wholeBody(answer.body), place);
  } catch (error) {
    throw error instanceof Problem ? error : serverFailure(error, place);
  }
};

const formOf = async ({ model }: DictationServer, { wave, language, prompt }: Phrase) => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(wave)], { type: 'audio/wav' }), 'phrase.wav');
  if (model !== '') form.append('model', model);
  form.append('language', language);
  form.append('prompt', prompt);
  form.append('response_format', 'json');
  // The most likely words, not a guess.
  form.append('temperature', '0');
  const encoded = new Response(form);
  return {
    body: Buffer.from(await encoded.arrayBuffer()),
    contentType: encoded.headers.get('content-type') ?? 'multipart/form-data',
  };
};

const wholeBody = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const textOf = (body: string, place: Place): string => {
  try {
    return withoutSounds(answerOf.parse(JSON.parse(body)).text);
  } catch {
    throw unreadable(place);
  }
};

/** Removes names of sounds that are no speech, such as "[BLANK_AUDIO]" or "(music)". whisper.cpp writes them. */
const withoutSounds = (text: string): string => {
  const words = text.trim().replaceAll(/\s+/g, ' ');
  return /^(?:[[(*][^\])*]{1,40}[\])*] ?)+$/.test(words) ? '' : words;
};
