import { Readable } from 'node:stream';

/** Headers of a server-sent event stream. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Proxies must forward each event at once.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // Closes the connection when the stream ends, so that a stopping server does not wait for it.
  connection: 'close',
};

/**
 * A reply of server-sent events, each with a JSON value. When the client leaves, `gone` aborts and the source of the
 * events ends.
 */
export class EventStream {
  readonly readable: Readable;

  constructor(events: (gone: AbortSignal) => AsyncIterable<unknown>) {
    const leaving = new AbortController();
    const texts = sseText(events(leaving.signal));
    this.readable = new Readable({
      read() {
        texts.next().then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
      // Aborts at once. Otherwise a source that waits for its next event would notice the end only when that event
      // comes.
      destroy(error, done) {
        leaving.abort();
        done(error);
      },
    });
  }
}

async function* sseText(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}
