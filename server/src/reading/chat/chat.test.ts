import { chat, deletedMessageText, longestMessage } from '@radwork/contract/reading/chat';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { listenTo } from '#test/announcements.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

/** Creates a study in this user's tenant. The id of the study is also the id of its conversation. */
const newStudy = async (person: Person): Promise<string> =>
  (await world.inTenant(person.tenant, (scope) => addStudy(scope))).id;

const say = (person: Person, conversationId: string, text: string, more: object = {}) =>
  person.send(chat.send, { body: { conversationId, text, ...more } });

const look = async (person: Person, conversationId: string, query: Record<string, string | number> = {}) =>
  (await person.send(chat.conversation, { params: { conversationId }, query })).data;

const readUpTo = (person: Person, conversationId: string, messageId: string) =>
  person.send(chat.read, { params: { conversationId }, body: { messageId } });

const textsOf = ({ content }: { content: { text: string }[] }) => content.map(({ text }) => text);

type Part = 'REFERRER' | 'ORDERER' | 'ASSIGNEE' | 'SHARED';

/** Makes a user a participant of a study. The role decides whether a referring physician may use the chat. */
const concern = (person: Person, studyId: string, role: Part) =>
  world.inTenant(person.tenant, ({ db }) =>
    db.insertInto('study_participants').values({ study_id: studyId, user_id: person.userId, role }).execute(),
  );

const mention = (by: Person, who: Person, studyId: string) => say(by, studyId, `@${who.username} please`);

const mentionsOf = (person: Person) =>
  world.inTenant(person.tenant, ({ db }) =>
    db
      .selectFrom('notifications')
      .select(['title', 'message', 'link'])
      .where('user_id', '=', person.userId)
      .where('type', '=', 'MENTION')
      .execute(),
  );

test('a message returns its id, sender, text and time, and colleagues can read it', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('ADMIN', ada.tenant);
  const studyId = await newStudy(ada);

  const { data: sent } = await say(ada, studyId, '  Is the contrast phase late?\nSecond look, please  ');
  const conversation = await look(ben, studyId);

  expect(sent).toEqual({
    id: expect.any(String),
    username: ada.username,
    name: `Dr ${ada.username}`,
    text: 'Is the contrast phase late?\nSecond look, please',
    createdAt: expect.any(String),
    isMine: true,
    isDeleted: false,
  });
  expect(conversation).toEqual({ content: [{ ...sent, isMine: false }], last: true, unread: 1, deletedIds: [] });
});

test('a chat response has its fields in the envelope and also at the top level', async () => {
  const ada = await world.signIn();
  const studyId = await newStudy(ada);
  await say(ada, studyId, 'Hello');

  const answer = await ada.request({ method: 'GET', url: `/api/chat/conversation/${studyId}?page=0&size=10` });

  const { data, ...beside } = answer.json();
  expect(beside).toEqual({ code: 200, message: 'OK', ...data });
});

test('the sender is the signed-in user, even if the body names another', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);

  const { data } = await say(ada, studyId, 'I am Ben', { username: ben.username, userId: ben.userId, name: 'Ben' });

  expect([data.username, data.isMine]).toEqual([ada.username, true]);
});

test.each([
  ['blank', ' \n\t ', 'Enter a message'],
  ['too long', 'x'.repeat(longestMessage + 1), 'Use at most 4,000 characters'],
])('refuses a message that is %s, and gives the reason', async (_, text, words) => {
  const ada = await world.signIn();
  const studyId = await newStudy(ada);

  const refused = await say(ada, studyId, text);

  expect(refused).toMatchObject({ status: 422, errors: [{ field: 'text', message: words }] });
  expect((await look(ada, studyId)).content).toEqual([]);
});

test('the longest message arrives complete, and markup is shown as text', async () => {
  const ada = await world.signIn();
  const studyId = await newStudy(ada);
  const long = '😀'.repeat(longestMessage / 2);
  const markup = '<img src=x onerror=alert(1)> https://example.org/?a=1&b=2 `${x}` \\0';

  await say(ada, studyId, long);
  await say(ada, studyId, markup);

  expect(textsOf(await look(ada, studyId))).toEqual([markup, long]);
});

test.each([
  ['send', { conversationId: 'x', text: 'y' }],
  ['send', { conversationId: newId(), text: 'y', id: '1; drop table chat_messages' }],
] as const)('refuses the chat call %s with an invalid id as a form error', async (call, body) => {
  const ada = await world.signIn();

  expect((await ada.send(chat[call], { body })).status).toBe(422);
});

test('a study that is unknown, deleted or of another tenant has no conversation', async () => {
  const ada = await world.signIn();
  const [stranger, participantStudy] = [await world.signIn(), await newStudy(ada)];
  const deleted = await newStudy(ada);
  await world.inTenant(ada.tenant, ({ db }) =>
    db.updateTable('studies').set({ deleted_at: '2026-11-21T00:00:00Z' }).where('id', '=', deleted).execute(),
  );

  const answers = await Promise.all(
    [
      { who: stranger, conversationId: participantStudy },
      { who: ada, conversationId: deleted },
      { who: ada, conversationId: newId() },
    ].flatMap(({ who, conversationId }) => [
      who.send(chat.conversation, { params: { conversationId } }),
      who.send(chat.people, { params: { conversationId } }),
      who.send(chat.read, { params: { conversationId }, body: { messageId: newId() } }),
      say(who, conversationId, 'Let me in'),
    ]),
  );

  expect(new Set(answers.map(({ status, error }) => `${status} ${error}`))).toEqual(new Set(['404 study.not_found']));
  expect((await look(ada, participantStudy)).content).toEqual([]);
});

test('a referring physician takes part only in conversations about studies shared with that physician', async () => {
  const ada = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
  const [participantStudy, other] = [await newStudy(ada), await newStudy(ada)];
  await concern(referrer, participantStudy, 'SHARED');
  const { data: hidden } = await say(ada, other, 'Not for the referrer');
  await say(ada, participantStudy, 'Good morning');

  const sentMessage = await say(referrer, participantStudy, 'Thank you');
  const refused = await Promise.all([
    say(referrer, other, 'Hello?'),
    referrer.send(chat.conversation, { params: { conversationId: other } }),
    referrer.send(chat.remove, { params: { messageId: hidden.id } }),
  ]);

  expect(sentMessage.status).toBe(200);
  expect(textsOf(await look(referrer, participantStudy))).toEqual(['Thank you', 'Good morning']);
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
});

test.each(['REFERRER', 'ORDERER'] as const)(
  'a referring physician who is only the %s of a study sees the study but not its conversation',
  async (role) => {
    const ada = await world.signIn();
    const referrer = await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
    const studyId = await newStudy(ada);
    await concern(referrer, studyId, role);
    const { data: message } = await say(ada, studyId, 'Among ourselves');
    const params = { conversationId: studyId };

    const refused = await Promise.all([
      referrer.send(chat.conversation, { params }),
      referrer.send(chat.people, { params }),
      say(referrer, studyId, 'Hello?'),
      readUpTo(referrer, studyId, message.id),
    ]);
    const removal = await referrer.send(chat.remove, { params: { messageId: message.id } });
    const { data: study } = await referrer.send(studies.get, { params: { id: studyId } });
    const { data: audit } = await referrer.send(studies.audit, { params: { id: studyId }, query: {} });

    const reason = 'You can join this conversation after a participant mentions you';
    expect(refused.map(({ status, error, message: words }) => [status, error, words])).toEqual(
      refused.map(() => [403, 'chat.not_invited', reason]),
    );
    expect(removal.status).toBe(404);
    expect(study.chatRefusal).toBe(reason);
    expect(audit.filter(({ action }) => action.startsWith('chat.'))).toEqual([]);
    expect(textsOf(await look(ada, studyId))).toEqual(['Among ourselves']);
  },
);

test.each(['ASSIGNEE', 'SHARED'] as const)(
  'a referring physician who is the %s of a study takes part in its conversation',
  async (role) => {
    const ada = await world.signIn();
    const physician = await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
    const studyId = await newStudy(ada);
    await concern(physician, studyId, 'REFERRER');
    await concern(physician, studyId, role);
    await say(ada, studyId, 'Good morning');

    const { status } = await say(physician, studyId, 'Good morning to you');
    const { data: study } = await physician.send(studies.get, { params: { id: studyId } });

    expect([status, study.chatRefusal]).toEqual([200, null]);
    expect(await look(physician, studyId)).toMatchObject({ unread: 1, content: [{}, {}] });
  },
);

test('a mentioned referring physician can read and write in the conversation, and mention others', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const referrer = await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
  const [studyId, other] = [await newStudy(ada), await newStudy(ada)];
  await concern(referrer, studyId, 'REFERRER');
  await concern(referrer, other, 'REFERRER');
  await say(ben, studyId, 'The contrast is late');
  const params = { conversationId: studyId };
  const joining = async () =>
    (await ada.send(chat.people, { params })).data.flatMap((person) => (person.joinsByMention ? person.username : []));
  const before = await joining();

  await mention(ada, referrer, studyId);
  await mention(ada, referrer, studyId);

  const conversation = await look(referrer, studyId);
  const answered = await say(referrer, studyId, `@${ben.username} thank you`);
  const { data: study } = await referrer.send(studies.get, { params: { id: studyId } });
  expect([before, await joining()]).toEqual([[referrer.username], []]);
  expect([textsOf(conversation).at(-1), conversation.unread, study.chatRefusal]).toEqual([
    'The contrast is late',
    3,
    null,
  ]);
  expect([answered.status, (await mentionsOf(ben)).length, (await mentionsOf(referrer)).length]).toEqual([200, 1, 2]);
  expect((await referrer.send(chat.conversation, { params: { conversationId: other } })).status).toBe(403);
  const invitations = await world.inTenant(ada.tenant, ({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['username', 'study_id', 'detail'])
      .where('action', '=', 'chat.invite')
      .execute(),
  );
  expect(invitations).toEqual([{ username: ada.username, study_id: studyId, detail: { invited: referrer.userId } }]);
});

test('refuses invitations by users outside the conversation, and of users who may not see the study', async () => {
  const ada = await world.signIn();
  const [referrer, colleague, outside] = [
    await world.signIn('REFERRING_PHYSICIAN', ada.tenant),
    await world.signIn('REFERRING_PHYSICIAN', ada.tenant),
    await world.signIn('REFERRING_PHYSICIAN', ada.tenant),
  ];
  const studyId = await newStudy(ada);
  await concern(referrer, studyId, 'REFERRER');
  await concern(colleague, studyId, 'ORDERER');

  const refused = await mention(referrer, colleague, studyId);
  await mention(ada, outside, studyId);

  const invitations = await world.inTenant(ada.tenant, ({ db }) => db.selectFrom('chat_invitations').execute());
  expect([refused.status, invitations]).toEqual([403, []]);
  expect((await outside.send(chat.conversation, { params: { conversationId: studyId } })).status).toBe(404);
});

test('an invitation ends when the invited user is no longer a participant of the study', async () => {
  const ada = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
  const studyId = await newStudy(ada);
  await concern(referrer, studyId, 'REFERRER');
  await mention(ada, referrer, studyId);
  await world.inTenant(ada.tenant, ({ db }) =>
    db.deleteFrom('study_participants').where('user_id', '=', referrer.userId).execute(),
  );

  const refused = await referrer.send(chat.conversation, { params: { conversationId: studyId } });

  expect(refused.status).toBe(404);
});

test('a patient cannot take part, even with a role that may use the chat', async () => {
  const ada = await world.signIn();
  const patient = await world.signIn('PATIENT', ada.tenant);
  const studyId = await newStudy(ada);
  await concern(patient, studyId, 'SHARED');
  const refused = await say(patient, studyId, 'Hello?');
  await world.inTenant(ada.tenant, async ({ db }) => {
    const id = newId();
    await db
      .insertInto('roles')
      .values({ id, name: 'Chatty', permissions: ['chat.use'] })
      .execute();
    await db.insertInto('user_roles').values({ user_id: patient.userId, role_id: id }).execute();
  });
  world.context.sessions.forget();

  const hidden = await say(patient, studyId, 'Hello?');

  expect([refused.status, hidden.status]).toEqual([403, 404]);
});

test('older messages load without repetition or gap while new messages arrive', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);
  for (let number = 1; number <= 23; number += 1) await say(number % 2 ? ada : ben, studyId, `${number}`);

  const newest = await look(ada, studyId);
  await say(ben, studyId, 'new 1');
  const older = await look(ada, studyId, { before: newest.content.at(-1)?.id ?? '' });
  await say(ben, studyId, 'new 2');
  const oldest = await look(ada, studyId, { before: older.content.at(-1)?.id ?? '' });

  const expected = Array.from({ length: 23 }, (_, index) => `${23 - index}`);
  expect([newest, older, oldest].flatMap(textsOf)).toEqual(expected);
  expect([newest.last, older.last, oldest.last]).toEqual([false, false, true]);
});

test('messages can also be read by page number, and a page after the end is empty', async () => {
  const ada = await world.signIn();
  const studyId = await newStudy(ada);
  for (const text of ['one', 'two', 'three']) await say(ada, studyId, text);

  const pages = await Promise.all([0, 1, 2].map((page) => look(ada, studyId, { page, size: 2 })));

  expect(pages.map(textsOf)).toEqual([['three', 'two'], ['one'], []]);
  expect(pages.map(({ last }) => last)).toEqual([false, true, true]);
});

test('refuses to page back from a message of another conversation', async () => {
  const ada = await world.signIn();
  const [studyId, other] = [await newStudy(ada), await newStudy(ada)];
  const { data: elsewhere } = await say(ada, other, 'Elsewhere');

  const params = { conversationId: studyId };
  const foreign = await ada.send(chat.conversation, { params, query: { before: elsewhere.id } });
  const noId = await ada.send(chat.conversation, { params, query: { before: 'x' } });

  expect([foreign.status, noId.status]).toEqual([404, 400]);
});

test('when two users write at the same moment, both succeed, and all readers see one order', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);

  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, index) => say(index % 2 ? ada : ben, studyId, `message ${index}`)),
  );

  const [seenByAda, seenByBen] = await Promise.all([ada, ben].map((person) => look(person, studyId, { size: 50 })));
  expect(sent.every(({ status }) => status === 200)).toBe(true);
  expect(seenByAda?.content.map(({ id }) => id).toSorted()).toEqual(sent.map(({ data }) => data.id).toSorted());
  expect(seenByBen?.content.map(({ id }) => id)).toEqual(seenByAda?.content.map(({ id }) => id));
  const times = seenByAda?.content.map(({ createdAt }) => createdAt) ?? [];
  expect(times).toEqual(times.toSorted().toReversed());
});

test('the unread count includes messages of others since the last read message, which never moves back', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);
  const { data: first } = await say(ben, studyId, 'one');
  await say(ada, studyId, 'mine');
  const { data: second } = await say(ben, studyId, 'two');
  const { data: third } = await say(ben, studyId, 'three');
  const before = await look(ada, studyId);

  const afterFirst = await readUpTo(ada, studyId, first.id);
  const afterSecond = await readUpTo(ada, studyId, second.id);
  const backAgain = await readUpTo(ada, studyId, first.id);
  await ben.send(chat.remove, { params: { messageId: third.id } });

  expect(before.unread).toBe(3);
  expect([afterFirst, afterSecond, backAgain].map(({ data }) => data.unread)).toEqual([2, 1, 1]);
  expect((await look(ada, studyId)).unread).toBe(0);
  expect((await look(ben, studyId)).unread).toBe(1);
});

test('refuses to mark a message of another conversation as read', async () => {
  const ada = await world.signIn();
  const [studyId, other] = [await newStudy(ada), await newStudy(ada)];
  const { data: elsewhere } = await say(ada, other, 'Elsewhere');

  expect(await readUpTo(ada, studyId, elsewhere.id)).toMatchObject({ status: 404, error: 'message.not_found' });
});

test('a message that is sent again after a lost response is stored and announced only once', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);
  const announced = await listenTo(world);
  const text = `@${ben.username} please`;
  const id = newId();

  const answers = await Promise.all(Array.from({ length: 4 }, () => say(ada, studyId, text, { id })));
  const later = await say(ada, studyId, text, { id });

  expect([...answers, later].map(({ data }) => data.id)).toEqual([id, id, id, id, id]);
  expect(textsOf(await look(ben, studyId))).toEqual([text]);
  expect(await mentionsOf(ben)).toHaveLength(1);
  expect((await announced()).filter(({ event }) => event.kind === 'chat')).toHaveLength(1);
});

test('refuses the message id of another user, and the same id with a different text', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);
  const { data: original } = await say(ada, studyId, 'Original');

  const refused = await say(ben, studyId, 'Original', { id: original.id });
  const changed = await say(ada, studyId, 'Other words', { id: original.id });

  expect([refused, changed].map(({ status, error }) => [status, error])).toEqual([
    [409, 'message.id_taken'],
    [409, 'message.id_taken'],
  ]);
  expect(textsOf(await look(ben, studyId))).toEqual(['Original']);
});

test('two tenants can have different messages with the same id', async () => {
  const [ada, stranger] = [await world.signIn(), await world.signIn()];
  const [ours, othersStudy] = [await newStudy(ada), await newStudy(stranger)];
  const id = newId();

  await say(ada, ours, 'Ours', { id });
  await say(stranger, othersStudy, 'Theirs', { id });

  expect(textsOf(await look(ada, ours))).toEqual(['Ours']);
  expect(textsOf(await look(stranger, othersStudy))).toEqual(['Theirs']);
});

test('a deleted message loses its text for all readers, but its record remains', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);
  const { data: message } = await say(ada, studyId, 'Said in haste');
  const params = { messageId: message.id };

  const refused = await ben.send(chat.remove, { params });
  const deleted = await ada.send(chat.remove, { params });
  await ada.send(chat.remove, { params });

  expect(refused).toMatchObject({ status: 403, message: 'Only the sender can delete a message' });
  expect(deleted.data).toEqual({ ...message, text: deletedMessageText(), isDeleted: true });
  const conversation = await look(ben, studyId);
  expect([textsOf(conversation), conversation.deletedIds, conversation.unread]).toEqual([
    ['Message deleted'],
    [message.id],
    0,
  ]);
  const trace = await world.inTenant(ada.tenant, async ({ db }) => ({
    message: await db.selectFrom('chat_messages').select('text').where('id', '=', message.id).executeTakeFirst(),
    deletion: await db.selectFrom('chat_deletions').select('user_id').executeTakeFirst(),
    audit: await db
      .selectFrom('audit_entries')
      .select(['action', 'username', 'study_id', 'detail'])
      // Audit entries of reads and refusals are written a little later.
      .where('action', 'not in', ['chat.view', 'access.refuse'])
      .orderBy('id')
      .execute(),
  }));
  const entry = { username: ada.username, study_id: studyId, detail: null };
  expect(trace).toEqual({
    message: { text: 'Said in haste' },
    deletion: { user_id: ada.userId },
    audit: [
      { action: 'chat.send', ...entry },
      { action: 'chat.delete', ...entry },
    ],
  });
});

test.each(['chat_messages', 'chat_deletions'] as const)(
  'the database role that serves requests cannot change or delete %s',
  async (table) => {
    const ada = await world.signIn();
    const { sql } = world;

    const change = () => ada.inScope(({ db }) => sql`update ${sql.table(table)} set user_id = user_id`.execute(db));
    const removal = () => ada.inScope(({ db }) => sql`delete from ${sql.table(table)}`.execute(db));

    await expect(change()).rejects.toThrow('permission denied');
    await expect(removal()).rejects.toThrow('permission denied');
  },
);

test('notifies mentioned users who may see the study, without the text or the patient', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const [invited, outside] = [
    await world.signIn('REFERRING_PHYSICIAN', ada.tenant),
    await world.signIn('REFERRING_PHYSICIAN', ada.tenant),
  ];
  const patient = await world.signIn('PATIENT', ada.tenant);
  const studyId = await newStudy(ada);
  await concern(invited, studyId, 'SHARED');
  const everybody = [ada, ben, invited, outside, patient];

  await say(ada, studyId, `${everybody.map(({ username }) => `@${username}`).join(' ')} look at Jane Doe`);

  const mentions = await Promise.all(everybody.map(mentionsOf));
  expect(mentions.map(({ length }) => length)).toEqual([0, 1, 1, 0, 0]);
  const [notice] = mentions[1] ?? [];
  expect(notice).toMatchObject({
    title: `Dr ${ada.username} mentioned you in the chat`,
    link: `/studies/${studyId}#chat`,
  });
  expect(JSON.stringify(notice)).not.toMatch(/look at|Jane|Doe/);
});

test('lists users who may see the study for a mention, by name only', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('ADMIN', ada.tenant);
  const invited = await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
  const gone = await world.signIn('RADIOLOGIST', ada.tenant);
  await world.signIn('REFERRING_PHYSICIAN', ada.tenant);
  await world.signIn('PATIENT', ada.tenant);
  await world.signIn();
  const studyId = await newStudy(ada);
  await concern(invited, studyId, 'SHARED');
  await world.inTenant(ada.tenant, ({ db }) =>
    db.updateTable('users').set({ is_active: false }).where('id', '=', gone.userId).execute(),
  );

  const { data } = await ada.send(chat.people, { params: { conversationId: studyId } });

  expect(data).toEqual(
    [ben, invited]
      .map(({ username }) => ({ username, name: `Dr ${username}`, joinsByMention: false }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  );
});

test("all browsers get events for sent and deleted messages, but only the reader's browsers for read messages", async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const studyId = await newStudy(ada);
  const announced = await listenTo(world);

  const { data: message } = await say(ada, studyId, 'Hello');
  await readUpTo(ben, studyId, message.id);
  await readUpTo(ben, studyId, message.id);
  await ada.send(chat.remove, { params: { messageId: message.id } });

  const event = { kind: 'chat', studyId };
  const everybody = { tenantId: ada.tenant.id, event };
  expect(await announced()).toEqual([everybody, { ...everybody, to: [ben.userId] }, everybody]);
});

test('refuses further messages of a user who sends too many, and says how long to wait', async () => {
  const [ada, ben] = [await world.signIn(), await world.signIn()];
  const [studyId, other] = [await newStudy(ada), await newStudy(ben)];

  const answers = [];
  for (let count = 0; count < 70; count += 1) answers.push(await say(ada, studyId, `${count}`));
  const statuses = new Set(answers.map(({ status }) => status));

  expect(statuses).toEqual(new Set([200, 429]));
  expect(answers.find(({ status }) => status === 429)?.message).toMatch(/^Too many calls. Try again in/);
  expect((await say(ben, other, 'Hello')).status).toBe(200);
});

test('a visiting super administrator writes under their own name', async () => {
  const ada = await world.signIn();
  const visitor = await world.signIn('SUPER_ADMIN');
  const studyId = await newStudy(ada);
  const headers = { 'x-tenantid': ada.tenant.subdomain };

  const sent = await visitor.send(chat.send, { headers, body: { conversationId: studyId, text: 'Just visiting' } });
  const params = { conversationId: studyId };
  const read = await visitor.send(chat.read, { headers, params, body: { messageId: sent.data.id } });

  expect([sent.status, read.status]).toEqual([200, 200]);
  expect((await look(ada, studyId)).content).toMatchObject([{ username: visitor.username, isMine: false }]);
});
