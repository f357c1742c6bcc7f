import type { Permission } from '@radwork/contract/core/access';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Scope } from '#core/access/scope.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { reportSteps } from '#test/report-steps.ts';
import { workSteps } from '#test/work-steps.ts';
import { createWorld } from '#test/world.ts';
import { mayWriteReport, refuseWriting } from './refuse-writing.ts';

const world = await createWorld();
const { newStudy, assign } = workSteps(world);
const { begin, finalize, requestReview, review } = reportSteps(world);

const reader = await world.signIn();
const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
const visitor = await world.signIn('SUPER_ADMIN');

const withReport = async (author: typeof reader, status = 'DRAFT') => {
  const { study, id } = await begin(author);
  if (status !== 'DRAFT') await requestReview(author, id, colleague);
  if (status === 'REVISION_REQUIRED') await review(colleague, id, { approved: false, comments: 'Look' });
  return study.id;
};

const signed = async () => {
  const { study, id } = await begin(reader);
  await finalize(reader, id);
  return study.id;
};

const assigned = async (id: string, to: typeof reader) => {
  await assign(reader, id, [to]);
  return id;
};

const cases: Record<string, string> = {
  'no report': await newStudy(reader),
  'no report, assigned to the reader': await assigned(await newStudy(reader), reader),
  'no report, assigned to a colleague': await assigned(await newStudy(reader), colleague),
  'no report, canceled': await newStudy(reader, 'CANCELLED'),
  'no report, archived': await newStudy(reader, 'ARCHIVED'),
  'own draft': await withReport(reader),
  'own report in review': await withReport(reader, 'PENDING_REVIEW'),
  'own report to revise': await withReport(reader, 'REVISION_REQUIRED'),
  'draft of a colleague': await withReport(colleague),
  'draft of a colleague, assigned to the reader': await assigned(await withReport(colleague), reader),
  'signed report': await signed(),
};

/** Returns the cases that the query lets the caller write. Checks that it agrees with the rule in each. */
const writable = async (caller: typeof reader, without?: Permission) =>
  world.context.scopes.inTenant({ ...caller.session, tenantId: reader.session.tenantId }, async (full) => {
    const roles = full.session.roles.map((role) => ({
      ...role,
      permissions: role.permissions.filter((permission) => permission !== without),
    }));
    const scope: Scope = { ...full, session: { ...full.session, roles } };
    const allowed: string[] = [];
    for (const [name, id] of Object.entries(cases)) {
      const { rows } = await sql<{ may: boolean }>`
        select ${mayWriteReport(scope)} as may from studies s where s.id = ${id}`.execute(scope.db);
      const isRefused = (await refuseWriting(scope, await studyById(scope, id), false)) !== undefined;
      expect([name, rows[0]?.may]).toEqual([name, !isRefused]);
      if (!isRefused) allowed.push(name);
    }
    return allowed;
  });

const drafts = ['own draft', 'own report to revise', 'draft of a colleague, assigned to the reader'];

test('the SQL query and the rule agree on which reports a reader may write', async () => {
  expect(await writable(reader)).toEqual(['no report', 'no report, assigned to the reader', ...drafts]);
});

test('the query and the rule let a user who may not create reports write only drafts', async () => {
  expect(await writable(reader, 'report.create')).toEqual(drafts);
});

test('the query and the rule let a visiting super administrator write nothing', async () => {
  expect(await writable(visitor)).toEqual([]);
});
