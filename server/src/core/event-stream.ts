import { Readable } from 'node:stream';

/** What an answer of server-sent events says of itself. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Whatever stands between must pass on each event as it comes.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  // When the stream ends, nothing is left that the server would wait for when it stops.
  connection: 'close',
};

/**
 * An answer that comes as server-sent events, each of them a value as JSON, until there are no more. What it makes them
 * from ends as soon as the reader leaves: `gone` is aborted then.
 */
export class EventStream {
  readonly readable: Readable;

  constructor(events: (gone: AbortSignal) => AsyncIterable<unknown>) {
    const leaving = new AbortController();
    const texts = written(events(leaving.signal));
    this.readable = new Readable({
      read() {
        texts.next().then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
        );
      },
      // What waits for its next event would not hear of the end before that comes.
      destroy(error, done) {
        leaving.abort();
        done(error);
      },
    });
  }
}

async function* written(events: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const event of events) yield `data: ${JSON.stringify(event)}\n\n`;
}
