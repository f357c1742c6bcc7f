import { Readable } from 'node:stream';
import { live as endpoint } from '@radwork/contract/identity/live';
import { tokenOf } from '#core/http/caller.ts';
import type { Context } from '#core/context.ts';
import { eventStreamHeaders } from '#core/http/event-stream.ts';
import type { Routes } from '#core/http/http.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { hashOfToken } from '#core/access/sessions.ts';

/**
 * Bytes that a browser may leave unread, about a thousand events. A slower browser is disconnected and then reloads
 * everything.
 */
const mostUnread = 64 << 10;
const opensPerMinute = 60;

export const liveRoutes = ({ serveStream }: Routes, { live }: Context): void => {
  const allow = createRateLimit(opensPerMinute);

  serveStream('', endpoint, async ({ request, reply, session }) => {
    if (session.userType === 'PATIENT') return reply.status(204).send();
    if (request.method === 'HEAD') return reply.headers(eventStreamHeaders).send();
    allow(session.userId);
    const stream = new Readable({ read: () => {}, highWaterMark: mostUnread });
    const remove = live.add({
      session,
      tokenHash: hashOfToken(tokenOf(request) ?? ''),
      write: (text) => {
        if (!stream.destroyed && !stream.push(text)) stream.destroy();
      },
      end: () => stream.push(null),
    });
    stream.on('close', remove);
    return reply.headers(eventStreamHeaders).send(stream);
  });
};
