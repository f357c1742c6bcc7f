import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** How a dictation server replies. A number is an HTTP status. */
export type TranscriptionFault =
  | 'says nothing'
  | 'never answers'
  | 'stops in the middle'
  | 'cuts in the middle'
  | 'is garbage'
  | 'has no text'
  | 'is huge'
  | 'redirects'
  | 401
  | 404
  | 413
  | 422
  | 429
  | 500
  | 503;

type ReceivedPhrase = {
  url: string;
  headers: IncomingMessage['headers'];
  fields: Record<string, string>;
  wave: Buffer;
};

/**
 * Starts a server with the transcription call of OpenAI for one test: a form in, JSON out. Replies with `text`, or with
 * what it returns for a phrase, and keeps the phrases.
 */
export const startTranscriptionServer = async (
  text: string | ((phrase: ReceivedPhrase) => string | Promise<string>) = 'no pleural effusion',
  fault?: TranscriptionFault,
) => {
  const received: ReceivedPhrase[] = [];
  let arrived = Promise.withResolvers<void>();

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const phrase = await phraseOf(request);
    received.push(phrase);
    arrived.resolve();
    arrived = Promise.withResolvers();
    if (fault === 'never answers') return;
    if (fault === 'redirects') return void response.writeHead(307, { location: 'https://other.invalid/' }).end();
    if (typeof fault === 'number') return void response.writeHead(fault).end(`refused: ${phrase.fields.prompt}`);
    const body = await bodyOf(phrase);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (fault === 'stops in the middle') return void response.write(body.slice(0, 5));
    if (fault !== 'cuts in the middle') return void response.end(body);
    response.write(body.slice(0, 5), () => response.destroy());
  };

  const bodyOf = async (phrase: ReceivedPhrase): Promise<string> => {
    if (fault === 'is garbage') return '<html>It works!</html>';
    if (fault === 'has no text') return JSON.stringify({ error: { message: 'no' } });
    if (fault === 'is huge') return JSON.stringify({ text: 'x'.repeat(1 << 20) });
    if (fault === 'says nothing') return JSON.stringify({ text: '' });
    return JSON.stringify({ text: typeof text === 'string' ? text : await text(phrase) });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    /** Base URL for the setting. */
    url: `http://127.0.0.1:${port}/v1`,
    received,
    /** Resolves when the next phrase has arrived. */
    nextPhrase: () => arrived.promise,
  };
};

const phraseOf = async (request: IncomingMessage): Promise<ReceivedPhrase> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const form = await new Response(new Uint8Array(Buffer.concat(chunks)), {
    headers: { 'content-type': request.headers['content-type'] ?? '' },
  }).formData();
  const fields: Record<string, string> = {};
  let wave = Buffer.alloc(0);
  for (const [name, value] of form) {
    if (typeof value === 'string') fields[name] = value;
    else wave = Buffer.from(await value.arrayBuffer());
  }
  return { url: request.url ?? '', headers: request.headers, fields, wave };
};
