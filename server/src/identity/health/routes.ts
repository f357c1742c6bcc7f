import { health, probes, readiness } from '@radwork/contract/identity/health';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { version } from '#core/values/version.ts';
import { checkReadiness, readinessOf } from './service.ts';
import { createChangeLog } from './log-changes.ts';

export const healthRoutes = ({ servePublic, servePublicStream }: Routes, context: Context) => {
  const { config, migrations } = context;
  const logChanges = createChangeLog();

  servePublic(health.about, async () => ({ name: 'Radwork', version, publicUrl: config.publicUrl ?? null }));
  servePublicStream('', probes.live, async () => ({ status: 'live' }));
  servePublicStream('', probes.ready, async ({ request, reply }) => {
    const checks = await checkReadiness(context, migrations);
    logChanges(checks, request.log);
    const answer = readiness.parse(readinessOf(checks));
    return reply.status(answer.status === 'not ready' ? 503 : 200).send(answer);
  });
};
