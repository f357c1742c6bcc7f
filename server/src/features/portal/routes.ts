import { portal } from '@radwork/contract/portal';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { createRateLimit } from '#core/rate-limit.ts';
import { openLink, openWithCode } from './service.ts';

/** Enough for a ward round behind one address, too little to try tokens. */
const opensPerMinute = 30;

export const portalRoutes = ({ servePublic }: Routes, context: Context) => {
  const letThrough = createRateLimit(opensPerMinute);
  servePublic(portal.report, ({ params }, { address }) => {
    letThrough(address);
    return openLink(context, params.hash, address);
  });
  servePublic(portal.open, ({ params, body }, { address }) => {
    letThrough(address);
    return openWithCode(context, params.hash, body.code, address);
  });
};
