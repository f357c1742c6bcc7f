import { expect, onTestFinished, test } from 'vitest';
import { readAllowRules } from '#core/outgoing/allow-rules.ts';
import { openOutgoing } from '#core/outgoing/open-outgoing.ts';
import { eventually } from '#test/eventually.ts';
import { type ModelFault, startModelServer, type Wire } from '#test/model-server.ts';
import type { DraftRequest } from './drafter.ts';
import { createModelDrafter } from './model-drafter.ts';
import { outgoingFetch } from '#core/outgoing/outgoing-fetch.ts';

const tenant = { id: 1, subdomain: 'north' };
const chunks = ['Segmental embolism', ' in the right', ' lower lobe.'];
const fullText = chunks.join('');
const request: DraftRequest = {
  kind: 'IMPRESSION',
  text: 'Embolus RLL, 6 mm nodule',
  studyDescription: 'CT chest',
  clinicalInfo: '',
  sections: [],
};
const wires: Wire[] = ['GEMINI', 'OPENAI'];
const never = new AbortController().signal;

const connect = async (wire: Wire, fault: ModelFault = 'none', answers: readonly string[] = chunks) => {
  const server = await startModelServer(wire, answers, fault);
  const rule = `net=127.0.0.1 ports=${server.port} protocols=http`;
  const outgoing = openOutgoing({
    remoteAllow: readAllowRules(rule),
    remoteCaFile: undefined,
    remoteTimeoutSeconds: 1,
  });
  onTestFinished(() => outgoing.close());
  const settings = { provider: wire, name: 'Our model', model: 'm-1', baseUrl: server.baseUrl, key: 'KEY-1' };
  // Only a model that stalls should time out. Other models may be slow on a busy machine.
  const answersWithin = String(fault).startsWith('stalls') ? 400 : 20_000;
  return { server, drafter: createModelDrafter(settings, outgoingFetch(outgoing, tenant), answersWithin) };
};

const collect = async (answer: AsyncIterable<string>) => {
  const received: string[] = [];
  for await (const chunk of answer) received.push(chunk);
  return received;
};

test.each(wires)('%s receives key, model and prompt, and returns a whole answer', async (wire) => {
  const { server, drafter } = await connect(wire);

  expect(await drafter.answer(request, never)).toBe(fullText);

  const [received] = server.received;
  const sent = drafter.sentFor(request);
  expect(received?.url).toBe(wire === 'GEMINI' ? '/v1/models/m-1:generateContent' : '/v1/chat/completions');
  expect(received?.headers[wire === 'GEMINI' ? 'x-goog-api-key' : 'authorization']).toMatch(/^(Bearer )?KEY-1$/);
  const body: unknown = JSON.parse(received?.body ?? '');
  expect(body).toMatchObject(
    wire === 'GEMINI'
      ? {
          systemInstruction: { parts: [{ text: sent?.instructions }] },
          contents: [{ role: 'user', parts: [{ text: sent?.prompt }] }],
        }
      : {
          model: 'm-1',
          messages: [
            { role: 'system', content: sent?.instructions },
            { role: 'user', content: sent?.prompt },
          ],
        },
  );
});

test.each(wires)('%s returns an answer in pieces as they arrive', async (wire) => {
  const { server, drafter } = await connect(wire);

  expect(await collect(drafter.pieces(request, never))).toEqual(chunks);
  expect(server.received[0]?.url).toMatch(/streamGenerateContent\?alt=sse|chat\/completions/);
});

test('the answer of a self-hosted model does not include its reasoning', async () => {
  const { drafter } = await connect('OPENAI', 'none', ['<think>The reader', ' wants…</think>', 'No embolism.']);

  expect(await drafter.answer(request, never)).toBe('No embolism.');
  expect((await collect(drafter.pieces(request, never))).join('')).toBe('No embolism.');
});

const faults: [fault: ModelFault, status: number, words: RegExp][] = [
  [401, 502, /^Our model rejected the API key \(401\)$/],
  [404, 502, /^Our model has no model "m-1" at this address \(404\)$/],
  [429, 502, /^Our model is busy or its quota is used up \(429\)/],
  [500, 502, /^Our model reported an internal error \(500\)$/],
  ['stalls', 504, /^Our model did not answer within 1 seconds$/],
  ['stalls in the middle', 504, /^Our model did not answer within 1 seconds$/],
  ['cuts in the middle', 502, /^127\.0\.0\.1:\d+ closed the connection before the end/],
  ['ends in the middle', 502, /was incomplete|closed the connection|unreadable/],
  ['is garbage', 502, /unreadable|returned no text|was incomplete/],
  ['is huge', 502, /sent more than 2097152 bytes|unreadable/],
  ['redirects', 502, /redirects to another address/],
  ['says nothing', 502, /returned no text|unreadable|was incomplete/],
  ['is cut for its length', 502, /was too long/],
  ['is refused', 502, /refused to process/],
];
const everyFault = wires.flatMap((wire) => faults.map((fault) => [wire, ...fault] as const));

test.each(everyFault)(
  'an answer of %s that %s is reported as one readable error, without a retry',
  async (wire, fault, status, message) => {
    const { server, drafter } = await connect(wire, fault);

    const failure = await drafter.answer(request, never).catch((error: unknown) => error);

    expect(failure).toMatchObject({ status, error: 'drafting.failed', message: expect.stringMatching(message) });
    expect(String(failure)).not.toContain('Doe');
    expect(server.received).toHaveLength(1);
  },
);

test.each(everyFault)(
  'a streamed answer of %s that %s is reported as one readable error, without a retry',
  async (wire, fault, status, message) => {
    const { server, drafter } = await connect(wire, fault);

    const failure = await collect(drafter.pieces(request, never)).catch((error: unknown) => error);

    expect(failure).toMatchObject({ status, error: 'drafting.failed', message: expect.stringMatching(message) });
    expect(String(failure)).not.toContain('Doe');
    expect(server.received).toHaveLength(1);
  },
);

test.each(wires)('aborts the request to %s when the reader closes the connection', async (wire) => {
  const { server, drafter } = await connect(wire, 'stalls in the middle');
  const reader = new AbortController();

  const reading = collect(drafter.pieces(request, reader.signal)).catch((error: unknown) => error);
  await eventually(() => expect(server.received).toHaveLength(1));
  reader.abort();
  await reading;

  await eventually(() => expect(server.closedEarly()).toBe(1));
});

test('refuses a model address that is not allowed', async () => {
  const { server, drafter } = await connect('OPENAI');
  const outgoing = openOutgoing({ remoteAllow: [], remoteCaFile: undefined, remoteTimeoutSeconds: 1 });
  onTestFinished(() => outgoing.close());
  const settings = { provider: 'OPENAI', name: 'X', model: 'm', baseUrl: server.baseUrl, key: '' } as const;

  const refused = createModelDrafter(settings, outgoingFetch(outgoing, tenant)).answer(request, never);

  await expect(refused).rejects.toMatchObject({ status: 502, message: expect.stringContaining('REMOTE_ALLOW') });
  expect(server.received).toEqual([]);
  expect(drafter.provider).toBe('OPENAI');
});
