import { t } from '@radwork/contract/core/translate';
import { audit, auditExport, type VerifyEvent } from '@radwork/contract/identity/audit';
import type { Context } from '#core/context.ts';
import { EventStream } from '#core/http/event-stream.ts';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import type { Session } from '#core/access/scope.ts';
import { exportEntries } from './export-entries.ts';
import { people } from './audited-users.ts';
import { list } from './search-entries.ts';
import { verifyChain, verifyWholeChain } from './verify-chain.ts';

/** Few verifications are allowed, because each one reads the whole audit log of a tenant. */
const verificationsPerMinute = 6;

export const auditRoutes = ({ serve, serveWaiting, serveStream }: Routes, context: Context) => {
  const { scopes, config } = context;
  const allow = createRateLimit(verificationsPerMinute);

  serve(audit.list, (scope, { query }) => list(scope, query));
  serve(audit.people, (scope, { query }) => people(scope, query));
  serveWaiting(audit.verify, async (session, { query }) => {
    allow(`${session.tenantId} ${session.userId}`);
    if (query.stream) return new EventStream((gone) => verifyEvents(context, session, gone));
    return verifyWholeChain(scopes, session, config.dataDir);
  });
  serveStream('', auditExport, (call) => exportEntries(scopes, call));
};

async function* verifyEvents(
  { scopes, config }: Context,
  session: Session,
  gone: AbortSignal,
): AsyncGenerator<VerifyEvent> {
  try {
    const steps = verifyChain(scopes, session, config.dataDir);
    while (!gone.aborted) {
      const step = await steps.next();
      yield step.done ? { kind: 'done', verdict: step.value } : { kind: 'progress', ...step.value };
      if (step.done) return;
    }
  } catch {
    yield { kind: 'failed', message: t`The audit log could not be read completely. Try again.` };
  }
}
