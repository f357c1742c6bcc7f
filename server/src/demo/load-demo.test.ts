import { atlas } from '@radwork/contract/knowledge/atlas';
import { chat } from '@radwork/contract/reading/chat';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { knowledge } from '@radwork/contract/knowledge/library';
import { notifications } from '@radwork/contract/identity/notifications';
import { reports } from '@radwork/contract/reading/reports';
import { sessions } from '@radwork/contract/identity/sessions';
import { macros } from '@radwork/contract/reading/macros';
import { studies } from '@radwork/contract/imaging/studies';
import { templates } from '@radwork/contract/reading/templates';
import { workflow } from '@radwork/contract/reading/workflow';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Context } from '#core/context.ts';
import { createWorld } from '#test/world.ts';
import { demoStudies } from './demo-studies.ts';
import { loadDemo } from './load-demo.ts';
import { demoTenants } from './demo-users.ts';

const world = await createWorld();
const { context, owner } = world;

const start = async (on: Context = context): Promise<string> => {
  const lines: string[] = [];
  await loadDemo(on, owner, (text) => lines.push(text));
  return lines.join('\n');
};

/** A server whose disk fails while the third study is stored. */
const failing = (): Context => {
  let remaining = 60;
  const receive: Context['blobs']['receive'] = (source, limit, tenantId) => {
    remaining -= 1;
    return remaining > 0
      ? context.blobs.receive(source, limit, tenantId)
      : Promise.reject(new Error('the power is gone'));
  };
  return { ...context, blobs: { ...context.blobs, receive } };
};

const crash: unknown = await start(failing()).catch((error: unknown) => error);
const { rows: afterCrash } = await sql<{ subdomain: string }>`select subdomain from tenants`.execute(owner);
const firstStart = await start();
const secondStart = await start();

const passwordIn = (output: string) => /Password of all users: (.+)$/.exec(output)?.[1] ?? '';

const signIn = async (username: string, subdomain: string) => {
  const body = { username, password: passwordIn(firstStart) };
  return world.send(sessions.login, { body, headers: { 'x-tenantid': subdomain } });
};

const asUser = async (username: string, subdomain: string) => {
  const { data } = await signIn(username, subdomain);
  return { authorization: `Bearer ${data.token}` };
};

test('every demo user named at the first start can sign in with the printed password', async () => {
  expect(passwordIn(firstStart)).toMatch(/^([a-z]{6}-){3}[a-z]{6}$/);
  for (const { subdomain, users } of demoTenants) {
    for (const { username, userType } of users) {
      const answer = await signIn(username, subdomain);
      expect(firstStart).toMatch(new RegExp(`${username} +${userType}`));
      expect(answer).toMatchObject({ code: 200, data: { user: { username, userType }, tenant: { subdomain } } });
    }
  }
});

test('the demo password is not stored in clear text', async () => {
  const { rows } = await sql<{ text: string }>`select u::text as text from users u`.execute(owner);

  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ text }) => text.includes(passwordIn(firstStart)))).toEqual([]);
});

test('if a start fails while it loads the demo, no tenant is visible, and the next start completes the demo', async () => {
  expect(crash).toEqual(new Error('the power is gone'));
  expect(afterCrash).toEqual([{ subdomain: 'demo-unfinished' }]);
  const { rows } = await sql<{ subdomain: string }>`select subdomain from tenants order by 1`.execute(owner);
  expect(rows).toEqual([{ subdomain: 'demo' }, { subdomain: 'north' }]);
});

test('each tenant has its demo studies once, even after a failure and two starts', async () => {
  for (const { subdomain, uploader } of demoTenants) {
    const headers = await asUser(uploader, subdomain);
    const { data } = await world.send(studies.list, { query: { size: 100 }, headers });

    expect(
      data.content.map(({ accessionNumber }) => Number(accessionNumber.split('-')[1])).toSorted((a, b) => a - b),
    ).toEqual(demoStudies[subdomain].map((_, index) => index + 1));
  }
});

test('the demo studies have many kinds and priorities, some share a patient, and all are from before today', async () => {
  const headers = await asUser('radiologist', 'demo');

  const { data } = await world.send(studies.list, { query: { size: 100 }, headers });

  const kinds = data.content.map(({ modalities }) => modalities.toSorted().join('+'));
  expect(new Set(kinds)).toEqual(new Set(['CR', 'CT+PT', 'CT+SR', 'MR', 'US']));
  expect(new Set(data.content.map(({ priority }) => priority))).toEqual(new Set(['STAT', 'URGENT', 'ROUTINE']));
  expect(new Set(data.content.map(({ status }) => status))).toEqual(
    new Set(['PENDING', 'ASSIGNED', 'IN_PROGRESS', 'COMPLETED']),
  );
  expect(new Set(data.content.map(({ patient }) => patient.id)).size).toBe(9);
  expect(data.content.every(({ studyDate }) => studyDate !== null && studyDate < new Date().toISOString())).toBe(true);
});

test('demo reports exist in every state, and the signed reports have a signature', async () => {
  const headers = await asUser('radiologist', 'demo');

  const { data } = await world.send(reports.list, { query: { size: 100 }, headers });

  const states = data.content.map(({ status }) => status);
  expect(new Set(states)).toEqual(new Set(['DRAFT', 'PENDING_REVIEW', 'REVISION_REQUIRED', 'APPROVED', 'FINALIZED']));
  expect(states).toHaveLength(demoStudies.demo.filter(({ report }) => report).length);
  const { rows } = await sql<{ unsigned: number }>`
    select count(*) as unsigned from reports where status = 'FINALIZED' and signature_data is null`.execute(owner);
  expect(rows).toEqual([{ unsigned: 0 }]);
});

test('the demo referring physician sees the studies that they requested', async () => {
  const headers = await asUser('referrer', 'demo');

  const { data } = await world.send(studies.list, { query: { size: 100 }, headers });

  expect(new Set(data.content.map(({ referringPhysicianName }) => referringPhysicianName))).toEqual(
    new Set(['Moreau, Dr Claire']),
  );
});

test('every demo user has notifications, and none of them names a patient', async () => {
  const checks = demoTenants.flatMap(({ subdomain, users }) =>
    users.map(async ({ username }) => {
      const { data } = await world.send(notifications.list, { headers: await asUser(username, subdomain) });
      return { username, hasNotices: data.totalElements > 0 };
    }),
  );

  expect((await Promise.all(checks)).filter(({ hasNotices }) => !hasNotices)).toEqual([]);
  const { rows } = await sql<{ told: number }>`
    select count(*) as told from notifications n join patients p
    on n.title || n.message ilike '%' || split_part(p.patient_name, '^', 1) || '%'`.execute(owner);
  expect(rows).toEqual([{ told: 0 }]);
});

test('demo users chat about a study and mention its referring physician', async () => {
  const headers = await asUser('referrer', 'demo');
  const { data: list } = await world.send(studies.list, { query: { size: 100 }, headers });
  const details = await Promise.all(list.content.map(({ id }) => world.send(studies.get, { params: { id }, headers })));
  const [joined, ...others] = details.filter(({ data }) => data.chatRefusal === null);

  const { data } = await world.send(chat.conversation, {
    params: { conversationId: joined?.data.id ?? '' },
    query: {},
    headers,
  });

  expect(others).toEqual([]);
  expect([...new Set(data.content.map(({ username }) => username))]).toEqual(['referrer', 'radiologist', 'reviewer']);
  expect(data.unread).toBe(0);
});

test('one demo assignment is overdue and its study has a history', async () => {
  const headers = await asUser('radiologist', 'demo');

  const { data: list } = await world.send(studies.list, { query: { view: 'OVERDUE' }, headers });
  const params = { id: list.content[0]?.id ?? '' };
  const { data: work } = await world.send(workflow.read, { params, headers });
  const { data: history } = await world.send(workflow.history, { params, query: {}, headers });

  expect(list.totalElements).toBe(1);
  expect(work.assignments).toMatchObject([{ status: 'OVERDUE', user: { username: 'reviewer' } }]);
  expect(history.content.map(({ type }) => type).toSorted()).toEqual(['STUDY_ASSIGNMENT', 'STUDY_STATUS_CHANGE']);
});

test('a later start explains how to sign in but prints no password', () => {
  expect(secondStart).toContain('Password of all users: as printed by the first start');
  expect(secondStart).not.toContain(passwordIn(firstStart));
  expect(secondStart).not.toContain('Preparing');
});

test('the demo has report templates and macros, each only once', async () => {
  const headers = await asUser('radiologist', 'demo');

  const { data: templatePage } = await world.send(templates.list, { headers });
  const { data: macroPage } = await world.send(macros.list, { headers });

  expect(templatePage.content.map(({ name }) => name)).toEqual([
    'Chest radiograph',
    'CT chest',
    'MR brain',
    'Ultrasound abdomen',
  ]);
  expect(macroPage.filter(({ isShared }) => isShared)).toHaveLength(3);
  expect(macroPage.filter(({ isShared }) => !isShared)).toHaveLength(2);
});

test('the demo has atlas entries and guidelines with files of each kind', async () => {
  const headers = await asUser('radiologist', 'demo');

  const { data: entries } = await world.send(atlas.list, { headers });
  const { data: texts } = await world.send(guidelines.list, { headers });
  const { data: chestCts } = await world.send(studies.list, { query: { modality: 'CT' }, headers });
  const offers = await Promise.all(
    chestCts.content.map(({ id }) => world.send(knowledge.forStudy, { params: { id }, headers })),
  );

  const files = [...entries.content.flatMap((one) => one.files), ...texts.content.flatMap((one) => one.attachments)];
  expect(files.map(({ contentType }) => contentType).toSorted()).toEqual([
    'application/dicom',
    'application/pdf',
    'image/png',
    'text/plain',
  ]);
  for (const { id } of files) {
    const answer = await world.request({ method: 'GET', url: `/api/files/${id}/download`, headers });
    expect(answer.statusCode).toBe(200);
  }
  expect([entries.totalElements, texts.totalElements]).toEqual([2, 2]);
  const offered = offers.filter(({ data }) => data.atlas.length === 2 && data.guidelines.length === 2);
  expect(offered.length).toBeGreaterThan(0);
  expect((await world.send(atlas.list, { headers: await asUser('north.admin', 'north') })).data.content).toEqual([]);
});
