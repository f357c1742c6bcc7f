import { t } from '../core/translate.ts';
import { z } from 'zod';
import { connectionTest } from '../core/connection-test.ts';
import { asReading, del, get, notAudited, post, put, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { dictationServerForm } from './reporting-settings.ts';
import { reportLanguages } from './report-sections.ts';

/** Format of a spoken phrase: WAV with one channel of 16-bit PCM. Speech recognizers work at this sample rate (Hz). */
export const phraseSampleRate = 16_000;
/** Longest phrase in seconds. Whisper reads speech in pieces of this length. */
export const longestPhraseSeconds = 30;
/** Bytes of the header of a WAV file without further chunks. */
export const waveHeaderBytes = 44;

const largestWave = waveHeaderBytes + phraseSampleRate * 2 * longestPhraseSeconds;

/** Maximum number of characters of the text before the cursor. The recognizer reads about this much. */
export const longestContext = 400;

export const phraseForm = z.object({
  /** WAV file in base64. */
  audio: z
    .base64({ error: () => t`The phrase is not a WAV file` })
    .min(1, { error: () => t`The phrase is empty` })
    .max(Math.ceil(largestWave / 3) * 4, { error: () => t`The phrase is longer than 30 seconds` }),
  language: z.enum(reportLanguages, { error: () => t`Choose a language` }),
  /** Text before the cursor, from which the recognizer knows the context. */
  before: z
    .string()
    .max(longestContext, { error: () => t`The text before the cursor is too long` })
    .default(''),
});
export type PhraseForm = z.output<typeof phraseForm>;

/** Maximum number of corrections of one user. */
export const mostCorrections = 300;

const words = (missing: () => string) =>
  z
    .string({ error: missing })
    .trim()
    .normalize('NFC')
    .transform((text) => text.replaceAll(/\s+/g, ' '))
    .pipe(
      z
        .string()
        .min(1, { error: missing })
        .max(120, { error: () => t`Use at most 120 characters` }),
    );

/** A correction of the caller: words that the recognizer writes, and the words that the caller says. */
export const correctionForm = z
  .object({
    written: words(() => t`Enter the words that were written`),
    said: words(() => t`Enter the words that you said`),
  })
  .superRefine(({ written, said }, context) => {
    if (written === said) {
      context.addIssue({ code: 'custom', path: ['said'], message: t`Both texts are the same` });
    }
  });
export type CorrectionForm = z.output<typeof correctionForm>;

export const correction = z.object({ id: z.string(), written: z.string(), said: z.string() });
export type Correction = z.infer<typeof correction>;

export const dictation = {
  /**
   * Converts a spoken phrase to text on the dictation server of the organization. Stores nothing. 409 without such a
   * server; 502 or 504 when it fails.
   */
  transcribe: post('/dictation/phrases', {
    can: 'report.edit',
    audited: unaudited("returns the caller's own words; the report that contains them is audited"),
    body: phraseForm,
    largestBody: 1_400_000,
    reply: z.object({ text: z.string() }),
  }),
  /** Tests the given server with a second of silence. If the key is empty, uses the stored key. */
  test: post('/dictation/test', {
    can: 'config.manage',
    audited: asReading('dictation.test', 'reporting_settings'),
    body: dictationServerForm,
    reply: connectionTest,
  }),
  corrections: get('/dictation/corrections', {
    can: 'report.edit',
    audited: notAudited.own,
    reply: z.array(correction),
  }),
  addCorrection: post('/dictation/corrections', {
    can: 'report.edit',
    audited: notAudited.own,
    body: correctionForm,
    reply: correction,
  }),
  changeCorrection: put('/dictation/corrections/:id', {
    can: 'report.edit',
    audited: notAudited.own,
    body: correctionForm,
    reply: correction,
  }),
  removeCorrection: del('/dictation/corrections/:id', { can: 'report.edit', audited: notAudited.own }),
};

export const noun = {
  calls: [dictation],
  actions: {
    Configuration: {
      'dictation.test': 'Tested dictation server',
    },
  },
} as const satisfies Noun;
