import { Readable } from 'node:stream';
import { live as endpoint } from '@radwork/contract/live';
import { tokenOf } from '#core/caller.ts';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http.ts';
import { createRateLimit } from '#core/rate-limit.ts';
import { hashOfToken } from '#core/sessions.ts';

/** What a browser may leave unread, in bytes: a thousand events. Who falls behind is let go and asks for everything. */
const mostUnread = 64 << 10;
const opensPerMinute = 60;

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Whatever stands between must pass on each event as it comes.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // When the stream ends, nothing is left that the server would wait for when it stops.
  connection: 'close',
};

export const liveRoutes = ({ serveStream }: Routes, { live }: Context): void => {
  const allow = createRateLimit(opensPerMinute);

  serveStream('', endpoint, async ({ request, reply, session }) => {
    if (session.userType === 'PATIENT') return reply.status(204).send();
    if (request.method === 'HEAD') return reply.headers(headers).send();
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
    return reply.headers(headers).send(stream);
  });
};
