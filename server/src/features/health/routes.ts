import { health } from '@radwork/contract/health';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { version } from '#core/version.ts';

export const healthRoutes = ({ servePublic }: Routes, { config }: Context) => {
  servePublic(health.about, async () => ({ name: 'Radwork', version, publicUrl: config.publicUrl ?? null }));
};
