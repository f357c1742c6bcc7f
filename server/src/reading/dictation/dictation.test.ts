import { dictation, longestPhraseSeconds, mostCorrections } from '@radwork/contract/reading/dictation';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { startTranscriptionServer, type TranscriptionFault } from '#test/transcription-server.ts';
import { createWorld, type Person } from '#test/world.ts';
import { silentWave } from './read-wave.ts';
import { createTranscriber } from './service.ts';

const world = await createWorld({ REMOTE_ALLOW: 'net=127.0.0.1 ports=1024-65535 protocols=http' });

const wave = silentWave(0.2);
const phrase = { audio: wave.toString('base64'), language: 'en', before: '' } as const;

/** Saves settings of the organization of a person. */
const configure = async (person: Person, changes: object) => {
  const admin = await world.signIn('ADMIN', person.tenant);
  const { data } = await admin.send(reportingSettings.read);
  const { hasAiKey: _, hasDictationKey: __, aiAgreedBy: ___, aiAgreedAt: ____, ...settings } = data;
  const body = { ...settings, isAiAgreed: false, ...changes };
  return { admin, answer: await admin.send(reportingSettings.save, { body }) };
};

/** Signs in a radiologist whose organization has a dictation server on this machine. */
const withServer = async (...terms: Parameters<typeof startTranscriptionServer>) => {
  const server = await startTranscriptionServer(...terms);
  const reader = await world.signIn('RADIOLOGIST');
  await configure(reader, { dictationUrl: `${server.url}/`, dictationModel: 'whisper-1', dictationKey: 'VOICE-KEY' });
  return { server, reader };
};

const say = (reader: Person, changes: object = {}) =>
  reader.send(dictation.transcribe, { body: { ...phrase, ...changes } });

test('a phrase goes to the dictation server as a form with model, language and vocabulary, and its text returns', async () => {
  const { server, reader } = await withServer('  No pleural\n effusion. ');

  const { data } = await say(reader, { language: 'de', before: 'Das Herz ist' });

  expect(data).toEqual({ text: 'No pleural effusion.' });
  const [received] = server.received;
  expect(received).toMatchObject({
    url: '/v1/audio/transcriptions',
    fields: { model: 'whisper-1', language: 'de', response_format: 'json', temperature: '0' },
  });
  expect(received?.headers.authorization).toBe('Bearer VOICE-KEY');
  expect(received?.wave.equals(wave)).toBe(true);
  expect(received?.fields.prompt).toMatch(/Pneumothorax.* Das Herz ist$/);
});

test.each<[TranscriptionFault, number, RegExp]>([
  [401, 502, /rejected the API key \(401\)/],
  [404, 502, /no such address or model \(404\)/],
  [413, 502, /too long for the dictation server/],
  [422, 502, /rejected the request \(422\)/],
  [429, 503, /is busy \(429\)/],
  [500, 502, /internal error \(500\)/],
  [503, 503, /is busy \(503\)/],
  ['is garbage', 502, /unreadable answer/],
  ['has no text', 502, /unreadable answer/],
  ['is huge', 502, /sent more than/],
  ['cuts in the middle', 502, /closed the connection/],
  ['redirects', 502, /redirects to another address/],
])('when the dictation server fails with %s, the reader gets %i and a message about that server', async (...fault) => {
  const [kind, status, message] = fault;
  const { server, reader } = await withServer('no effusion', kind);

  const answer = await say(reader, { before: 'The patient Jane Doe' });

  expect(answer).toMatchObject({ status, error: 'dictation.failed' });
  expect(answer.message).toMatch(message);
  expect(answer.message).toContain(new URL(server.url).host);
  expect(answer.message).not.toContain('Jane');
});

test.each<TranscriptionFault>(['never answers', 'stops in the middle'])(
  'a dictation server that %s ends in a time-out that names the server',
  async (fault) => {
    const { server, reader } = await withServer('no effusion', fault);
    const transcribe = createTranscriber(world.context, 300);

    const failing = transcribe(reader.session, phrase);

    await expect(failing).rejects.toMatchObject({ status: 504, error: 'dictation.failed' });
    await expect(failing).rejects.toThrow(
      `The dictation server ${new URL(server.url).host} did not answer within 1 seconds`,
    );
  },
);

test.each([
  ['[BLANK_AUDIO]', ''],
  ['(silence) [MUSIC]', ''],
  ['', ''],
  ['[field] is 5 mm', '[field] is 5 mm'],
])('the text %j of the dictation server is read as %j', async (sent, text) => {
  const { reader } = await withServer(sent);

  expect((await say(reader)).data).toEqual({ text });
});

test('refuses an answer that repeats the list of words, because the reader did not say them', async () => {
  const { reader } = await withServer('Pneumothorax, pleural effusion, atelectasis, ground-glass opacity.');

  expect(await say(reader)).toMatchObject({ status: 502, message: expect.stringContaining('its word list') });
});

test.each([
  ['no WAV file', Buffer.from('x'.repeat(100)), 'The phrase is not a WAV file of 16 kHz with one channel'],
  ['too short for a header', wave.subarray(0, 20), 'The phrase is not a WAV file of 16 kHz with one channel'],
  ['without samples', silentWave(0), 'The phrase is empty'],
  ['with two channels', changed(22, 2), 'The phrase is not a WAV file of 16 kHz with one channel'],
  ['longer than it says', Buffer.concat([wave, wave]), 'The phrase is not a WAV file of 16 kHz with one channel'],
])('a phrase that is %s is refused, and nothing is sent', async (_, audio, message) => {
  const { server, reader } = await withServer();

  const answer = await say(reader, { audio: audio.toString('base64') });

  expect(answer).toMatchObject({ status: 422, errors: [{ field: 'audio', message }] });
  expect(server.received).toEqual([]);
});

function changed(at: number, value: number): Buffer {
  const copy = Buffer.from(wave);
  copy.writeUInt16LE(value, at);
  return copy;
}

test('a phrase of 30 seconds is accepted, and a longer phrase is refused', async () => {
  const { reader } = await withServer('no effusion');
  const sayFor = (seconds: number) => say(reader, { audio: silentWave(seconds).toString('base64') });

  expect((await sayFor(longestPhraseSeconds)).status).toBe(200);
  expect((await sayFor(longestPhraseSeconds + 1)).status).toBe(422);
  expect((await sayFor(60)).status).toBe(413);
});

test('a user who sends more phrases than a person can speak gets 429', async () => {
  const { reader } = await withServer('x');

  const answers = await Promise.all(Array.from({ length: 100 }, () => say(reader, { audio: 'AAAA' })));

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422, 429]));
});

test('an organization without a dictation server, or one that forbids dictation, gets the reason', async () => {
  const { server, reader } = await withServer();
  const other = await world.signIn('RADIOLOGIST');

  expect(await say(other)).toMatchObject({ status: 409, error: 'dictation.off' });
  await configure(reader, { isDictationAllowed: false });
  expect(await say(reader)).toMatchObject({ status: 403, message: 'Your organization has turned off dictation.' });
  expect(server.received).toEqual([]);
});

test('an address of a private network that the operator has not allowed is refused', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  await configure(reader, { dictationUrl: 'http://10.1.2.3:8000/v1' });

  const answer = await say(reader);

  expect(answer).toMatchObject({ status: 502, error: 'dictation.failed' });
  expect(answer.message).toContain('private address');
});

test('the key of the dictation server never leaves the server, and is dropped when the origin changes', async () => {
  const { server, reader } = await withServer('x');
  const other = await startTranscriptionServer('x');
  const { admin, answer } = await configure(reader, { dictationModel: 'other' });
  expect(answer.data).toMatchObject({ hasDictationKey: true, dictationUrl: server.url, dictationModel: 'other' });
  expect(JSON.stringify(answer)).not.toContain('VOICE-KEY');
  const { data: writing } = await reader.send(reportingSettings.forWriting);
  expect(writing.dictation).toEqual({ server: new URL(server.url).host, isBrowserAllowed: true });

  const tested = await admin.send(dictation.test, { body: { dictationUrl: other.url, dictationModel: '' } });
  expect(tested.data).toMatchObject({ isOk: true, message: 'The dictation server answered' });
  expect(other.received[0]?.headers.authorization).toBeUndefined();
  const moved = await configure(reader, { dictationUrl: other.url });
  expect(moved.answer.data.hasDictationKey).toBe(false);
});

test('a test of the connection shows the error of the dictation server', async () => {
  const { url } = await startTranscriptionServer('x', 401);
  const admin = await world.signIn('ADMIN');

  const { data } = await admin.send(dictation.test, { body: { dictationUrl: url, dictationModel: '' } });

  expect(data).toMatchObject({ isOk: false, message: expect.stringContaining('rejected the API key (401)') });
});

test('a reader keeps corrections, which other readers neither see nor change, and their words go to the recognizer', async () => {
  const { server, reader } = await withServer('x');
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const stranger = await world.signIn('RADIOLOGIST');
  const { data: kept } = await reader.send(dictation.addCorrection, {
    body: { written: ' fibro  scan ', said: 'FibroScan' },
  });

  expect(kept).toMatchObject({ written: 'fibro scan', said: 'FibroScan' });
  expect((await reader.send(dictation.corrections)).data).toEqual([kept]);
  for (const other of [colleague, stranger]) {
    expect((await other.send(dictation.corrections)).data).toEqual([]);
    const call = { params: { id: kept.id }, body: { written: 'a', said: 'b' } };
    expect(await other.send(dictation.changeCorrection, call)).toMatchObject({ status: 404 });
    expect(await other.send(dictation.removeCorrection, call)).toMatchObject({ status: 404 });
  }
  await say(reader);
  await say(colleague);
  expect(server.received.map(({ fields }) => fields.prompt?.includes('FibroScan'))).toEqual([true, false]);

  await reader.send(dictation.changeCorrection, {
    params: { id: kept.id },
    body: { written: 'fibro scan', said: 'Fibroscan' },
  });
  expect((await reader.send(dictation.corrections)).data).toMatchObject([{ said: 'Fibroscan' }]);
  await reader.send(dictation.removeCorrection, { params: { id: kept.id } });
  expect((await reader.send(dictation.corrections)).data).toEqual([]);
});

test('a second correction of the same words, one without a change, and one over the limit are refused', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const add = (written: string, said: string) => reader.send(dictation.addCorrection, { body: { written, said } });
  await add('a orta', 'aorta');

  expect(await add('A Orta', 'Aorta')).toMatchObject({ status: 422, errors: [{ field: 'written' }] });
  expect(await add('same', 'same')).toMatchObject({ status: 422, errors: [{ field: 'said' }] });
  expect(await add('', 'x')).toMatchObject({ status: 422 });
  await world.inTenant(reader.tenant, ({ db }) =>
    db
      .insertInto('dictation_corrections')
      .values(
        Array.from({ length: mostCorrections - 1 }, (_, at) => ({
          id: newId(),
          user_id: reader.userId,
          written: `w${at}`,
          said: 's',
        })),
      )
      .execute(),
  );
  expect(await add('one more', 'x')).toMatchObject({ status: 409, error: 'correction.full' });
});
