import { health } from '@radwork/contract/health';
import type { Routes } from '#core/http.ts';
import { version } from '#core/version.ts';

export const healthRoutes = ({ servePublic }: Routes) => {
  servePublic(health.about, async () => ({ name: 'Radwork', version }));
};
