import { dictation } from '@radwork/contract/reading/dictation';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { addCorrection, changeCorrection, listCorrections, removeCorrection } from './corrections.ts';
import { createTranscriber } from './service.ts';
import { testServer } from './test-server.ts';

/** Maximum number of phrases of a user per minute. A user who speaks without a pause sends fewer. */
const phrasesPerMinute = 90;

export const dictationRoutes = ({ serve, serveWaiting }: Routes, context: Context) => {
  const allow = createRateLimit(phrasesPerMinute);
  const transcribe = createTranscriber(context);

  serveWaiting(dictation.transcribe, async (session, { body }) => {
    allow(session.userId);
    return { text: await transcribe(session, body) };
  });
  serveWaiting(dictation.test, (session, { body }) => testServer(context, session, body));
  serve(dictation.corrections, (scope) => listCorrections(scope));
  serve(dictation.addCorrection, (scope, { body }) => addCorrection(scope, body));
  serve(dictation.changeCorrection, (scope, { params, body }) => changeCorrection(scope, params.id, body));
  serve(dictation.removeCorrection, (scope, { params }) => removeCorrection(scope, params.id));
};
