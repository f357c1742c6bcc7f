import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** How a model server replies. "…in the middle" means after the first piece of a reply. */
export type ModelFault =
  | 'none'
  | 'says nothing'
  | 'stalls'
  | 'stalls in the middle'
  | 'cuts in the middle'
  | 'ends in the middle'
  | 'is garbage'
  | 'is huge'
  | 'redirects'
  | 'is cut for its length'
  | 'is refused'
  | 429
  | 500
  | 401
  | 404;

type ReceivedRequest = { url: string; headers: IncomingMessage['headers']; body: string };

/** The supported formats: Gemini's generateContent and OpenAI's chat completions, whole and streamed. */
export type Wire = 'GEMINI' | 'OPENAI';

const endings = { none: ['STOP', 'stop'], length: ['MAX_TOKENS', 'length'], refused: ['SAFETY', 'content_filter'] };

const endingOf = (fault: ModelFault): keyof typeof endings => {
  if (fault === 'is cut for its length') return 'length';
  return fault === 'is refused' ? 'refused' : 'none';
};

const gemini = (text: string, finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...(finishReason && { finishReason }) }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  modelVersion: 'test',
});

const completion = (text: string, finish: string) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'test',
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

const chunk = (content: string | undefined, finish: string | null = null) => ({
  id: 'c1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'test',
  choices: [{ index: 0, delta: content === undefined ? {} : { role: 'assistant', content }, finish_reason: finish }],
});

const event = (data: unknown) => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\r\n\r\n`;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Starts a model server for one test. It replies to every prompt with `parts` and keeps the requests. */
export const startModelServer = async (wire: Wire, parts: readonly string[], fault: ModelFault = 'none') => {
  const received: ReceivedRequest[] = [];
  let closedEarly = 0;
  const [geminiEnd = '', openAiEnd = ''] = endings[endingOf(fault)];

  const events = (): string[] =>
    wire === 'GEMINI'
      ? parts.map((part, index) => event(gemini(part, index === parts.length - 1 ? geminiEnd : undefined)))
      : [...parts.map((part) => event(chunk(part))), event(chunk(undefined, openAiEnd)), event('[DONE]')];

  const completeAnswer = () =>
    JSON.stringify(wire === 'GEMINI' ? gemini(parts.join(''), geminiEnd) : completion(parts.join(''), openAiEnd));

  const answerWhole = async (response: ServerResponse) => {
    const body =
      fault === 'says nothing' ? completeAnswer().replace(JSON.stringify(parts.join('')), '""') : completeAnswer();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (!fault.toString().includes('in the middle')) return void response.end(body);
    response.write(body.slice(0, body.length / 2));
    await breakOff(response);
  };

  const answerStreamed = async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const all = fault === 'says nothing' ? events().slice(parts.length) : events();
    for (const [index, one] of all.entries()) {
      response.write(one);
      await wait(5);
      if (index === 0 && fault.toString().includes('in the middle')) return breakOff(response);
    }
    response.end();
  };

  const breakOff = async (response: ServerResponse) => {
    await wait(20);
    if (fault === 'cuts in the middle') response.destroy();
    if (fault === 'ends in the middle') response.end();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const isStreamed = /streamGenerateContent|"stream":true/.test(`${request.url} ${received.at(-1)?.body}`);
    if (typeof fault === 'number') {
      response.writeHead(fault, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ error: { code: fault, message: 'Doe Jane', status: 'X' } }));
    }
    if (fault === 'stalls') return undefined;
    if (fault === 'redirects') return void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
    if (fault === 'is garbage') return void response.writeHead(200).end('<html>It works!</html>');
    if (fault === 'is huge') return void response.writeHead(200).end(Buffer.alloc(4 << 20, 'x'));
    return isStreamed ? answerStreamed(response) : answerWhole(response);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (bytes: Buffer) => chunks.push(bytes));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() });
      void answer(request, response);
    });
    response.on('close', () => {
      if (!response.writableEnded) closedEarly += 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    /** Returns how many replies the client has canceled. */
    closedEarly: () => closedEarly,
  };
};
