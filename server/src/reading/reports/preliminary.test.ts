import { createHash } from 'node:crypto';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { hasPoppler, textOfPdf } from '#test/poppler.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, save, finalize, requestReview, participate, tasks, auditedActions } = reportSteps(world);

const issue = (person: Person, id: string, revision?: number) =>
  person.send(reports.issuePreliminary, { params: { id }, body: { revision } });

const ofStudy = (person: Person, id: string) => person.send(reports.ofStudy, { params: { id } });

const pdfOf = (person: Person, id: string) =>
  person.request({ method: 'GET', url: `/api/reports/${id}/preliminary/pdf` });

const showToReferrers = (person: Person) =>
  world.inTenant(person.tenant, ({ db }) =>
    db.updateTable('tenants').set({ shows_preliminary: true }).where('id', '=', person.tenant.id).execute(),
  );

/** An author with a draft that has a preliminary report, and the referring physician of its study. */
const issued = async (content = '<p>Preliminary text.</p>') => {
  const author = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  const { study, id } = await begin(author, content);
  await participate(referrer, study.id, 'REFERRER');
  const { data } = await issue(author, id, 1);
  return { author, referrer, studyId: study.id, id, report: data };
};

test('a preliminary report is a frozen version, and the report stays a draft', async () => {
  const { author, id, report } = await issued();

  await save(author, id, { content: '<p>Changed text.</p>', revision: 2 });
  const version = await author.send(reports.version, { params: { id, version: '2' } });

  expect(report).toMatchObject({
    status: 'DRAFT',
    revision: 2,
    preliminary: { number: 1, version: 2, issuedBy: { id: author.userId } },
    history: [{ action: 'PRELIMINARY', version: 2 }, { action: 'CREATED' }],
    rights: { canEdit: true },
  });
  expect(version.data).toMatchObject({
    content: '<p>Preliminary text.</p>',
    contentHash: createHash('sha256').update('<p>Preliminary text.</p>').digest('hex'),
  });
  expect((await tasks(author)).map(({ display_value }) => display_value)).toContain('PRELIMINARY');
  expect(await auditedActions(author)).toContain('report.issuePreliminary');
});

test('a changed text can be issued again with the next number, and an unchanged text cannot', async () => {
  const { author, id } = await issued();

  const again = await issue(author, id, 2);
  await save(author, id, { content: '<p>Changed text.</p>', revision: 2 });
  const { data } = await issue(author, id, 3);

  expect(again).toMatchObject({ status: 409, message: 'This text is already the preliminary report' });
  expect(data.preliminary).toMatchObject({ number: 2, version: 4 });
});

test('the frozen text has the values of fields as ordinary text, and the draft keeps its fields', async () => {
  const field = '<p>A <span data-field="Size: number mm">8 mm</span> nodule.</p>';
  const { author, id, report } = await issued(field);

  const version = await author.send(reports.version, { params: { id, version: '2' } });

  expect(version.data.content).toBe('<p>A 8 mm nodule.</p>');
  expect(report.content).toBe(field);
});

test('referring physicians do not know of a preliminary report unless the organization shows it', async () => {
  const { referrer, studyId, id } = await issued();

  const { data } = await ofStudy(referrer, studyId);
  const pdf = await pdfOf(referrer, id);

  expect(data).toMatchObject({ report: null });
  expect(data.preliminary).toBeUndefined();
  expect(pdf.statusCode).toBe(404);
});

test('where the organization shows it, a referring physician sees the frozen text and not the later draft', async () => {
  const { author, referrer, studyId, id } = await issued();
  await showToReferrers(author);
  await save(author, id, { content: '<p>Later draft.</p>', revision: 2 });

  const { data } = await ofStudy(referrer, studyId);
  const report = await referrer.send(reports.get, { params: { id } });
  const pdf = await pdfOf(referrer, id);

  expect(data).toMatchObject({
    report: null,
    preliminary: { number: 1, content: '<p>Preliminary text.</p>', issuedBy: { id: author.userId } },
  });
  expect(report.status).toBe(404);
  expect(pdf.statusCode).toBe(200);
});

test('the signed report replaces the preliminary report for referring physicians', async () => {
  const { author, referrer, studyId, id } = await issued();
  await showToReferrers(author);
  await finalize(author, id, { content: '<p>Final.</p>', revision: 2, preliminaryChange: 'Embolism found' });

  const { data } = await ofStudy(referrer, studyId);
  const pdfs = await Promise.all([referrer, author].map((person) => pdfOf(person, id)));

  expect(data.preliminary).toBeUndefined();
  expect(data.report).toMatchObject({
    content: '<p>Final.</p>',
    preliminary: { number: 1 },
    preliminaryChange: 'Embolism found',
  });
  expect(pdfs.map(({ statusCode }) => statusCode)).toEqual([404, 200]);
});

test('without preliminary reports for them, referring physicians do not see an important change either', async () => {
  const { author, referrer, id } = await issued();
  await finalize(author, id, { revision: 2, preliminaryChange: 'Embolism found' });
  const changeFor = async (person: Person) =>
    (await person.send(reports.get, { params: { id } })).data.preliminaryChange;

  expect([await changeFor(author), await changeFor(referrer)]).toEqual(['Embolism found', '']);
});

test.skipIf(!hasPoppler)('the PDF names an important change only to readers who may know of it', async () => {
  const { author, referrer, id } = await issued();
  await finalize(author, id, { content: '<p>Final.</p>', revision: 2, preliminaryChange: 'Embolism found' });
  const printed = async (person: Person) =>
    textOfPdf((await person.request({ method: 'GET', url: `/api/reports/${id}/pdf` })).rawPayload);

  expect(await printed(author)).toContain('Embolismfound');
  expect(await printed(referrer)).toContain('Final');
  expect(await printed(referrer)).not.toContain('Embolismfound');
  await showToReferrers(author);
  expect(await printed(referrer)).toContain('Embolismfound');
});

test('an important change is stored only if there was a preliminary report, and is audited', async () => {
  const { author, id } = await issued();
  const other = await begin(author);

  await finalize(author, id, { revision: 2, preliminaryChange: 'Embolism found' });
  const without = await finalize(author, other.id, { preliminaryChange: 'Nothing to change' });
  const entries = await world.inTenant(author.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('action', '=', 'report.finalize').orderBy('id').execute(),
  );

  expect(without.data.preliminaryChange).toBe('');
  expect(entries[0]?.detail).toMatchObject({ changesPreliminary: true });
  expect(entries[1]?.detail).not.toHaveProperty('changesPreliminary');
});

test('a preliminary report about another patient is not shown after the study moved', async () => {
  const { author, referrer, studyId, id } = await issued();
  await showToReferrers(author);
  await world.inTenant(author.tenant, ({ db }) =>
    db
      .updateTable('reports')
      .set({ refiled_at: new Date(Date.now() + 1000).toISOString() })
      .where('id', '=', id)
      .execute(),
  );

  expect((await ofStudy(referrer, studyId)).data.preliminary).toBeUndefined();
  expect((await author.send(reports.get, { params: { id } })).data.preliminary).toBeNull();
});

test('only writers issue a preliminary report, and only while the text can change', async () => {
  const { author, id } = await issued();
  const colleague = await world.signIn('RADIOLOGIST', author.tenant);
  const reviewer = await world.signIn('RADIOLOGIST', author.tenant);

  const refused = await issue(colleague, id, 2);
  await requestReview(author, id, reviewer);
  const pending = await issue(author, id, 3);

  expect(refused).toMatchObject({ status: 403 });
  expect(pending).toMatchObject({
    status: 409,
    message: 'The report is Pending Review. A preliminary report cannot be issued.',
  });
});
