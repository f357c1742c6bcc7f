import { createHmac } from 'node:crypto';
import { criticalFindings } from '@radwork/contract/reading/critical-findings';
import { notifications } from '@radwork/contract/identity/notifications';
import { outreach } from '@radwork/contract/reading/outreach';
import { webhooks } from '@radwork/contract/reading/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority, hasOpenssl } from '#test/certificates.ts';
import { eventually } from '#test/eventually.ts';
import { findingSteps } from '#test/finding-steps.ts';
import { startMailServer } from '#test/mail-server.ts';
import { newPushDevice, startPushService, vapidClaims } from '#test/push-service.ts';
import { reportSteps } from '#test/report-steps.ts';
import { startWebhookReceiver } from '#test/webhook-receiver.ts';
import { createWorld, type Person, type World } from '#test/world.ts';
import { escalateFindings } from '#reading/critical-findings/escalate.ts';
import { startOutreach } from './jobs.ts';

const unlessMissing = hasOpenssl ? '' : ' (skipped: there is no openssl)';

const give = (world: World, person: Person, email: string) =>
  world.owner.updateTable('users').set({ email }).where('id', '=', person.userId).execute();

const work = (world: World) => {
  const pauses = { critical: [1], ordinary: [1] };
  const stop = startOutreach(world.context, world.url, { onError: () => {}, pauses });
  onTestFinished(stop);
};

/**
 * Starts a mail server, a push service and a webhook. Creates an organization whose referring physician has a device.
 */
const practice = async () => {
  const authority = createAuthority();
  const mail = await startMailServer();
  const push = await startPushService(authority.issue('push', 'IP:127.0.0.1'));
  const hook = await startWebhookReceiver();
  for (const { close } of [mail, push, hook]) onTestFinished(close);
  const world = await createWorld({
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'Radwork <radwork@example.org>',
    PUBLIC_URL: 'https://radwork.example.org',
    REMOTE_ALLOW: 'net=127.0.0.1 ports=1-65535 protocols=http,https',
    REMOTE_CA_FILE: authority.ca,
  });
  const reader = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const admin = await world.signIn('ADMIN', reader.tenant);
  await give(world, reader, '');
  await give(world, admin, '');
  await give(world, referrer, 'referrer@example.org');
  const device = newPushDevice(`${push.origin}/send/1`);
  const { data: settings } = await referrer.send(outreach.addDevice, { body: device.subscription });
  const { data: webhook } = await admin.send(webhooks.create, {
    body: { name: 'Pager', url: hook.url, topics: ['CRITICAL_FOUND', 'CRITICAL_ON_CALL'], isPlainHttp: true },
  });
  const { study, id: reportId } = await reportSteps(world).begin(reader);
  await reportSteps(world).participate(referrer, study.id, 'REFERRER');
  await world.owner
    .updateTable('studies')
    .set({ description: 'CT of Jane Doe', study_description: 'Doe^Jane' })
    .where('id', '=', study.id)
    .execute();
  return { world, mail, push, hook, reader, referrer, admin, device, settings, webhook, study, reportId };
};

const messagesOf = async (person: Person, id: string) =>
  (await person.send(criticalFindings.get, { params: { id } })).data.messages;

test.skipIf(!hasOpenssl)(
  `a critical finding is sent by e-mail, push and webhook, without a name${unlessMissing}`,
  async () => {
    const { world, mail, push, hook, reader, referrer, device, settings, webhook, reportId } = await practice();
    work(world);
    const began = performance.now();

    const { id } = await findingSteps(world).add(reader, reportId, 'CRITICAL', 'Tension pneumothorax');
    const durations: Record<string, number> = {};
    const note = (channel: string, isThere: () => boolean) =>
      eventually(() => {
        expect(isThere()).toBe(true);
        durations[channel] ??= Math.round(performance.now() - began);
      });
    await Promise.all([
      note('mail', () => mail.received.length > 0),
      note('push', () => push.received.length > 0),
      note('webhook', () => hook.received.length > 0),
    ]);

    process.stdout.write(`critical finding, ms until it arrived: ${JSON.stringify(durations)}\n`);
    const [letter] = mail.received;
    const [pushed] = push.received;
    const [posted] = hook.received;
    expect(letter).toMatchObject({ from: 'radwork@example.org', to: ['referrer@example.org'] });
    expect(letter?.text).toContain(`https://radwork.example.org/critical-findings?findingId=${id}`);
    const notice = device.read(pushed?.body ?? Buffer.alloc(0));
    expect(notice).toMatchObject({ link: `/critical-findings?findingId=${id}`, isCritical: true });
    expect(pushed?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' });
    expect(vapidClaims(pushed?.headers.authorization ?? '', settings.pushKey)).toMatchObject({
      aud: push.origin,
      sub: 'https://radwork.example.org',
    });
    const [, seconds, signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(posted?.headers['radwork-signature'])) ?? [];
    const expected = createHmac('sha256', webhook.secret).update(`${seconds}.${posted?.body}`).digest('hex');
    expect(signature).toBe(expected);
    expect(Math.abs(Number(seconds) * 1000 - Date.now())).toBeLessThan(120_000);
    expect(JSON.parse(posted?.body ?? '')).toMatchObject({
      event: 'CRITICAL_FOUND',
      recipients: [{ username: referrer.username }],
    });
    for (const message of [letter?.text, JSON.stringify(notice), posted?.body]) {
      expect(message).not.toMatch(/doe|jane|pneumothorax/i);
    }
    await eventually(async () =>
      expect((await messagesOf(reader, id)).map(({ channel, state }) => [channel, state])).toEqual([
        ['MAIL', 'SENT'],
        ['PUSH', 'SENT'],
        ['WEBHOOK', 'SENT'],
      ]),
    );
    expect((await messagesOf(reader, id)).map(({ readAt }) => readAt)).toEqual([null, null, null]);
    expect((await messagesOf(referrer, id)).map(({ readAt }) => readAt)).toEqual([
      expect.any(String),
      expect.any(String),
      null,
    ]);
  },
);

test.skipIf(!hasOpenssl)(
  `when two channels fail, the third delivers, the failure is reported, and the escalation continues${unlessMissing}`,
  async () => {
    const { world, mail, push, hook, reader, admin, reportId } = await practice();
    work(world);
    await mail.close();
    push.answerWith(503);
    const { add, passMinutes } = findingSteps(world);

    const { id } = await add(reader, reportId);
    await eventually(() => expect(hook.received).toHaveLength(1));
    await eventually(async () => {
      const messages = await messagesOf(admin, id);
      expect(messages.map(({ channel, state }) => [channel, state])).toEqual([
        ['MAIL', 'QUEUED'],
        ['PUSH', 'QUEUED'],
        ['WEBHOOK', 'SENT'],
      ]);
      expect(messages.slice(0, 2).every(({ attempts, error }) => attempts > 0 && error !== '')).toBe(true);
    });
    await passMinutes(reader, id, 61);
    await escalateFindings(world.context.scopes, (error) => {
      throw error;
    });
    await eventually(() => expect(hook.received).toHaveLength(2));

    const { data: inbox } = await reader.send(notifications.list);
    const failures = inbox.content.filter(({ title }) =>
      title.startsWith('A message about a critical finding was not'),
    );
    expect(failures).toHaveLength(2);
    const history = await world.inTenant(reader.tenant, ({ db }) =>
      db.selectFrom('task_history').select('details').execute(),
    );
    const lines = history.map(({ details }) => details);
    expect(lines.filter((line) => /^(E-mail|Push) to Dr .* failed: /.test(line))).toHaveLength(2);
    push.answerWith(201);
    await eventually(() => expect(push.received.length).toBeGreaterThan(0));
    await eventually(async () => {
      const [pushed] = (await messagesOf(admin, id)).filter(({ channel }) => channel === 'PUSH');
      expect(pushed).toMatchObject({ state: 'SENT', error: '' });
    });
  },
);

test.skipIf(!hasOpenssl)(
  `users choose their channels, and quiet hours delay everything except critical findings${unlessMissing}`,
  async () => {
    const { world, mail, push, reader, referrer, settings, study, reportId } = await practice();
    const turnedOff = settings.choices.map((choice) =>
      choice.topic.startsWith('CRITICAL') && choice.channel === 'MAIL' ? { ...choice, isWanted: false } : choice,
    );
    const without = turnedOff.map((choice) => ({ ...choice, isWanted: false }));
    const allDay = { begins: '00:00', ends: '23:59' };

    const refused = await referrer.send(outreach.save, { body: { choices: without, quietHours: null } });
    const saved = await referrer.send(outreach.save, { body: { choices: turnedOff, quietHours: allDay } });
    const { id } = await findingSteps(world).add(reader, reportId);
    await reportSteps(world).finalize(reader, reportId);
    work(world);
    await eventually(() => expect(push.received).toHaveLength(1));

    expect(refused.status).toBe(422);
    expect(saved.data).toMatchObject({ quietHours: allDay, mailAddress: 'referrer@example.org' });
    const waiting = await world.owner
      .selectFrom('outbound_messages as m')
      .leftJoin('jobs as j', 'j.id', 'm.id')
      .select(['m.topic', 'm.channel', 'm.link', 'j.run_at'])
      .where('m.user_id', '=', referrer.userId)
      .where('m.finding_id', 'is', null)
      .execute();
    expect(waiting).toMatchObject([{ topic: 'REPORT_READY', channel: 'PUSH', link: `/reports?reportId=${reportId}` }]);
    expect(Date.parse(waiting[0]?.run_at ?? '')).toBeGreaterThan(Date.now());
    expect((await messagesOf(reader, id)).filter(({ channel }) => channel === 'MAIL')).toEqual([]);
    expect(mail.received).toEqual([]);
    expect(study.id).toBeDefined();
  },
);

test.skipIf(!hasOpenssl)(
  `an administrator tests a webhook, sees the result and sends failed messages again${unlessMissing}`,
  async () => {
    const { world, push, hook, reader, admin, referrer, webhook } = await practice();
    work(world);
    hook.answerWith(400);
    const params = { id: webhook.id };
    const latest = async () => (await admin.send(webhooks.list)).data[0];

    await admin.send(webhooks.test, { params });
    await eventually(async () =>
      expect(await latest()).toMatchObject({
        failed: 1,
        latest: { topic: 'TEST', state: 'FAILED', error: 'The webhook answered 400' },
      }),
    );
    hook.answerWith(204);
    await admin.send(webhooks.retry, { params });
    await eventually(async () => expect(await latest()).toMatchObject({ failed: 0, latest: { state: 'SENT' } }));

    expect(hook.received).toHaveLength(1);
    expect(JSON.stringify(await latest())).not.toContain(webhook.secret);
    const stored = await world.owner.selectFrom('webhooks').select('sealed_secret').execute();
    expect(stored[0]?.sealed_secret).not.toContain(webhook.secret);
    const plain = { name: 'Plain', url: 'http://pager.example/x', topics: ['OVERDUE'] };
    expect((await admin.send(webhooks.create, { body: plain })).status).toBe(422);
    expect((await reader.send(webhooks.list)).status).toBe(403);

    push.answerWith(410);
    const { study, id: reportId } = await reportSteps(world).begin(reader);
    await reportSteps(world).participate(referrer, study.id, 'REFERRER');
    await reportSteps(world).finalize(reader, reportId);
    await eventually(async () => expect((await referrer.send(outreach.settings)).data.devices).toEqual([]));
  },
);

test('refuses a webhook to a private address unless the operator allows it', async () => {
  const hook = await startWebhookReceiver();
  onTestFinished(hook.close);
  const world = await createWorld();
  const admin = await world.signIn('ADMIN');
  work(world);
  const body = { name: 'Inside', url: hook.url, topics: ['OVERDUE'], isPlainHttp: true };
  const { data } = await admin.send(webhooks.create, { body });

  await admin.send(webhooks.test, { params: { id: data.id } });

  await eventually(async () => {
    const [row] = (await admin.send(webhooks.list)).data;
    expect(row?.latest).toMatchObject({ state: 'FAILED', error: expect.stringContaining('REMOTE_ALLOW') });
  });
  expect(hook.received).toEqual([]);
});

test.skipIf(!hasOpenssl)(
  `refuses a push device with a private address unless the operator allows it${unlessMissing}`,
  async () => {
    const authority = createAuthority();
    const push = await startPushService(authority.issue('push', 'IP:127.0.0.1'));
    onTestFinished(push.close);
    const world = await createWorld({ REMOTE_CA_FILE: authority.ca });
    const reader = await world.signIn();
    const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
    const { subscription } = newPushDevice(`${push.origin}/send/1`);
    await referrer.send(outreach.addDevice, { body: subscription });
    const { study, id: reportId } = await reportSteps(world).begin(reader);
    await reportSteps(world).participate(referrer, study.id, 'REFERRER');
    work(world);

    const { id } = await findingSteps(world).add(reader, reportId);

    await eventually(async () => {
      const [pushed] = (await messagesOf(reader, id)).filter(({ channel }) => channel === 'PUSH');
      expect(pushed).toMatchObject({ state: 'FAILED', error: expect.stringContaining('REMOTE_ALLOW') });
    });
    expect(push.received).toEqual([]);
  },
);

test('only its own user can remove a push device, and its address must use https', async () => {
  const world = await createWorld();
  const owner = await world.signIn();
  const colleague = await world.signIn('ADMIN', owner.tenant);
  const { subscription } = newPushDevice('https://push.example/send/1');
  const { data } = await owner.send(outreach.addDevice, { body: subscription });
  const params = { id: data.devices[0]?.id ?? '' };

  const open = { ...subscription, endpoint: 'http://push.example/send/1' };
  expect((await owner.send(outreach.addDevice, { body: open })).status).toBe(422);
  expect((await colleague.send(outreach.removeDevice, { params })).status).toBe(404);
  expect((await owner.send(outreach.settings)).data.devices).toHaveLength(1);
  expect((await owner.send(outreach.removeDevice, { params })).status).toBe(200);
});

test('simultaneous saves of one user all succeed, and one of them is stored complete', async () => {
  const world = await createWorld();
  const owner = await world.signIn();
  const { choices } = (await owner.send(outreach.settings)).data;
  const hours = ['20:00', '21:00', '22:00', '23:00'].map((begins) => ({ begins, ends: '06:00' }));

  const saved = await Promise.all(
    hours.map((quietHours) => owner.send(outreach.save, { body: { choices, quietHours } })),
  );

  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(hours).toContainEqual((await owner.send(outreach.settings)).data.quietHours);
});
