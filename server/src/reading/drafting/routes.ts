import { drafting } from '@radwork/contract/reading/drafting';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import type { Context } from '#core/context.ts';
import { EventStream } from '#core/http/event-stream.ts';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import type { Session } from '#core/access/scope.ts';
import { decide, passagesOf } from './passages.ts';
import { type IdentifiedRequest, requestOfPrompt, requestOfReport, draft, streamDraft } from './service.ts';
import { testProvider } from './test-provider.ts';

/**
 * Maximum number of drafts per minute: more than a user reads. There is a limit because each draft may cost the tenant
 * money.
 */
const draftsPerMinute = 30;

export const draftingRoutes = ({ serve, serveWaiting }: Routes, context: Context) => {
  const allow = createRateLimit(draftsPerMinute);

  const streamed = async (session: Session, identifiedRequest: IdentifiedRequest) =>
    new EventStream(await streamDraft(context, session, identifiedRequest));

  serveWaiting(drafting.generate, async (session, { body, query }) => {
    allow(session.userId);
    const identifiedRequest = requestOfPrompt(body);
    if (query.stream) return streamed(session, identifiedRequest);
    return (await draft(context, session, identifiedRequest)).map(({ text }) => text).join('\n\n');
  });
  serveWaiting(drafting.medicalReport, async (session, { body, query }) => {
    allow(session.userId);
    const identifiedRequest = requestOfReport(body);
    if (query.stream) return streamed(session, identifiedRequest);
    return (await draft(context, session, identifiedRequest)).map(({ html }) => html).join('');
  });
  serveWaiting(reportingSettings.test, (session, { body }) => testProvider(context, session, body));
  serve(drafting.passages, (scope, { params }) => passagesOf(scope, params.id));
  serve(drafting.decide, (scope, { params, body }) =>
    decide(scope, { studyId: params.id, id: params.passageId }, body),
  );
};
