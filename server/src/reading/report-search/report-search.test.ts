import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { type ReportHit, reportHitsExport, reportsExport, reportSearch } from '@radwork/contract/reading/report-search';
import { reports } from '@radwork/contract/reading/reports';
import { expect, test } from 'vitest';
import { reportSteps, signature } from '#test/report-steps.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld, type Person } from '#test/world.ts';
import { indexAll, indexNext, isIndexComplete } from './index-older-reports.ts';
import { find } from './service.ts';

const world = await createWorld();
const { begin, finalize, save, participate, auditedActions } = reportSteps(world);

const english = (words: string) =>
  `<h2>Findings</h2><p>The lungs are clear and there is no effusion. ${words}</p><h2>Impression</h2><p>As described above.</p>`;

const search = async (person: Person, text: string, query: Record<string, string | number> = {}) =>
  (await person.send(reportSearch.find, { query: { text, ...query } })).data;
const idsIn = async (person: Person, text: string, query?: Record<string, string | number>) =>
  (await search(person, text, query)).content.map(({ id }) => id);
const marked = ({ snippet }: ReportHit) => snippet.map(({ text, isHit }) => (isHit ? `[${text}]` : text)).join('');

const signed = async (author: Person, content: string) => {
  const { id, study } = await begin(author, content);
  const { status } = await finalize(author, id, { content, revision: 1 });
  expect(status).toBe(200);
  return { id, study };
};

test('finds words in another form, phrases and alternatives, and leaves out excluded words', async () => {
  const author = await world.signIn();
  const nodule = await begin(author, english('Two solid nodules in the right upper lobe.'));
  const cyst = await begin(author, english('Simple cyst of the left kidney.'));

  expect(await idsIn(author, 'nodule')).toEqual([nodule.id]);
  expect(await idsIn(author, 'nodule lobes')).toEqual([nodule.id]);
  expect(await idsIn(author, 'nodule kidney')).toEqual([]);
  expect(await idsIn(author, '"upper lobe"')).toEqual([nodule.id]);
  expect(await idsIn(author, '"lobe upper"')).toEqual([]);
  expect(new Set(await idsIn(author, 'nodule or cyst'))).toEqual(new Set([nodule.id, cyst.id]));
  expect(await idsIn(author, 'lungs -cyst')).toEqual([nodule.id]);
});

test('a phrase with "no" does not find the opposite', async () => {
  const author = await world.signIn();
  await begin(author, english('There is a large pneumothorax on the left.'));
  const denied = await begin(author, english('No pneumothorax.'));

  expect(await idsIn(author, '"no pneumothorax"')).toEqual([denied.id]);
});

test('marks the matches in a stretch of text, which is text and never HTML', async () => {
  const author = await world.signIn();
  await begin(
    author,
    '<p>The nodule is &lt;img src=x&gt; and L4/L5 is normal &amp; the rest of the spine is clear.</p><p>Size &lt;5 mm.</p>',
  );

  const { content } = await search(author, 'nodules');

  expect(content.map(marked)).toEqual([
    'The [nodule] is <img src=x> and L4/L5 is normal & the rest of the spine is clear.\nSize <5 mm',
  ]);
  expect(await idsIn(author, 'L5')).toHaveLength(1);
  expect(await idsIn(author, 'L4/L5')).toHaveLength(1);
});

test('a match in the impression comes first', async () => {
  const author = await world.signIn();
  const inFindings = await begin(author, english('Meningioma of the left convexity.'));
  const inImpression = await begin(
    author,
    '<h2>Findings</h2><p>The brain has a mass of the left convexity and no infarct.</p><h2>Impression</h2><p>Meningioma.</p>',
  );

  expect(await idsIn(author, 'meningioma')).toEqual([inImpression.id, inFindings.id]);
});

test('texts are searched by the rules of their language, and Chinese by its characters', async () => {
  const author = await world.signIn();
  const german = await begin(
    author,
    '<p>Mehrere Rundherde in der Lunge, kein Erguss und keine Stauung der Gefäße.</p>',
  );
  const french = await begin(
    author,
    '<p>Nodules pulmonaires dans les lobes supérieurs, sans épanchement et sans lésion.</p>',
  );
  const chinese = await begin(author, '<p>右侧大量气胸，心影大小正常，未见胸腔积液。</p>');

  expect(await idsIn(author, 'Rundherd')).toEqual([german.id]);
  expect(await idsIn(author, 'pulmonaire')).toEqual([french.id]);
  expect(await idsIn(author, '气胸')).toEqual([chinese.id]);
  expect(await idsIn(author, '胸气')).toEqual([]);
  const { content } = await search(author, '气胸');
  // Whether a snippet keeps the last full stop depends on the locale of the database.
  expect(content.map((report) => marked(report).replace(/。$/, ''))).toEqual([
    '右侧大量[气胸]，心影大小正常，未见[胸]腔积液',
  ]);
});

test('a saved text replaces the earlier text in the search', async () => {
  const author = await world.signIn();
  const { id } = await begin(author, english('Meningioma of the convexity.'));
  await save(author, id, { content: english('Schwannoma of the nerve.'), revision: 1 });

  expect(await idsIn(author, 'meningioma')).toEqual([]);
  expect(await idsIn(author, 'schwannoma')).toEqual([id]);
});

test('a signed addendum is found, a draft of one is not, and a corrected passage is no longer found', async () => {
  const author = await world.signIn();
  const { id } = await signed(author, english('Meningioma of 12 mm.'));
  const draft = { kind: 'ADDENDUM', content: '<p>An astrocytoma was discussed in the conference.</p>' } as const;
  const { data } = await author.send(reportAddenda.begin, { params: { id }, body: draft });
  expect(await idsIn(author, 'astrocytoma')).toEqual([]);

  const params = { id, addendumId: data.addendumDraft?.id ?? '' };
  await author.send(reportAddenda.sign, { params, body: { ...draft, signatureData: signature, revision: 1 } });
  const correction = {
    kind: 'CORRECTION',
    corrects: 0,
    passage: 'Meningioma of 12 mm.',
    content: '<p>Schwannoma of 12 mm.</p>',
  } as const;
  const begun = await author.send(reportAddenda.begin, { params: { id }, body: correction });
  await author.send(reportAddenda.sign, {
    params: { id, addendumId: begun.data.addendumDraft?.id ?? '' },
    body: { ...correction, signatureData: signature, revision: 1 },
  });

  expect((await search(author, 'astrocytoma')).content).toMatchObject([{ id, part: 1 }]);
  expect(await idsIn(author, 'meningioma')).toEqual([]);
  expect((await search(author, 'schwannoma')).content).toMatchObject([{ id, part: 2 }]);
});

test('a report that a newer signed report of its study replaces is not found', async () => {
  const author = await world.signIn();
  const { study } = await signed(author, english('Meningioma of the convexity.'));
  const { data } = await author.send(reports.create, {
    params: { id: study.id },
    body: { content: english('Meningioma, and a cyst.'), patientId: study.patientId },
  });
  expect(await idsIn(author, 'meningioma')).toHaveLength(2);

  await finalize(author, data.id, { content: english('Meningioma, and a cyst.'), revision: 1 });

  expect(await idsIn(author, 'meningioma')).toEqual([data.id]);
});

test('a referring physician finds only signed reports of own studies', async () => {
  const author = await world.signIn();
  const own = await signed(author, english('Meningioma of the convexity.'));
  await signed(author, english('Meningioma of another patient.'));
  const draft = await begin(author, english('Meningioma in a draft.'));
  const referrer = await world.signIn('REFERRING_PHYSICIAN', author.tenant);
  await participate(referrer, own.study.id, 'REFERRER');
  await participate(referrer, draft.study.id, 'REFERRER');

  expect(await idsIn(referrer, 'meningioma')).toEqual([own.id]);
  expect(await idsIn(author, 'meningioma')).toHaveLength(3);
  expect((await referrer.send(reportSearch.authors)).data).toMatchObject([{ id: author.userId }]);
});

test('another organization finds nothing, and users without access to reports are refused', async () => {
  const author = await world.signIn();
  await signed(author, english('Meningioma of the convexity.'));
  const stranger = await world.signIn();
  const patient = await world.signIn('PATIENT', author.tenant);

  expect(await idsIn(stranger, 'meningioma')).toEqual([]);
  expect((await patient.send(reportSearch.find, { query: { text: 'meningioma' } })).status).toBe(403);
});

test('filters by status, author, modality and day of the study', async () => {
  const author = await world.signIn();
  const other = await world.signIn('RADIOLOGIST', author.tenant);
  const final = await signed(author, english('Meningioma one.'));
  const draft = await begin(other, english('Meningioma two.'));
  await world.inTenant(author.tenant, ({ db }) =>
    db
      .updateTable('studies')
      .set({ study_date: '2025-02-03T09:00:00', modality: 'MR', modalities: ['MR'] })
      .where('id', '=', draft.study.id)
      .execute(),
  );

  expect(await idsIn(author, 'meningioma', { status: 'FINALIZED' })).toEqual([final.id]);
  expect(await idsIn(author, 'meningioma', { authorId: other.userId })).toEqual([draft.id]);
  expect(await idsIn(author, 'meningioma', { modality: 'MR' })).toEqual([draft.id]);
  expect(await idsIn(author, 'meningioma', { startDate: '2025-02-01', endDate: '2025-02-28' })).toEqual([draft.id]);
});

test('pages have a total, and a search with too many matches shows the newest first', async () => {
  const author = await world.signIn();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    const { id } = await begin(author, english(`Meningioma number ${index}.`));
    ids.unshift(id);
  }

  const page = await search(author, 'meningioma', { page: 1, size: 3 });
  expect(page).toMatchObject({ totalElements: 4, isTotalExact: true, isRanked: true, totalPages: 2 });
  expect(page.content).toHaveLength(1);

  const many = await author.inScope((scope) => find(scope, { text: 'meningioma', page: 0, size: 2 }, 3));
  expect(many.isRanked).toBe(false);
  expect(many.content.map(({ id }) => id)).toEqual(ids.slice(0, 2));
});

test.each(['-meningioma', '""', '---'])('refuses %s, because it names no word to find', async (text) => {
  const author = await world.signIn();

  const { status, message } = await author.send(reportSearch.find, { query: { text } });

  expect({ status, message }).toEqual({ status: 400, message: 'Type at least one word that the reports must contain' });
});

test('a job indexes older reports in steps, and a restart continues after the last one', async () => {
  const author = await world.signIn();
  const ids: string[] = [];
  for (const word of ['Meningioma', 'Schwannoma', 'Glioma']) ids.push((await begin(author, english(`${word}.`))).id);
  const { tenant } = author;
  await world.inTenant(tenant, ({ db }) => db.deleteFrom('report_texts').execute());
  expect((await search(author, 'glioma')).isIndexComplete).toBe(false);

  expect(await indexNext(world.context, tenant.id, 1, 2)).toBe(true);
  expect(await idsIn(author, 'meningioma or schwannoma or glioma')).toHaveLength(2);
  await indexAll(world.context);

  expect(await idsIn(author, 'glioma')).toEqual([ids[2]]);
  expect(await world.inTenant(tenant, isIndexComplete)).toBe(true);
});

test('searches and exports are audited without the searched words', async () => {
  const author = await world.signIn();
  await signed(author, english('Meningioma of the convexity.'));
  await search(author, 'meningioma');
  await author.request({ url: `${reportHitsExport.path}?text=meningioma` });
  await author.request({ url: reportsExport.path });

  const actions = await auditedActions(author);

  expect(actions).toEqual(expect.arrayContaining(['report.searchText', 'report.exportHits', 'report.export']));
  const details = await world.inTenant(author.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').execute(),
  );
  expect(JSON.stringify(details)).not.toContain('meningioma');
  expect(details.filter(({ detail }) => JSON.stringify(detail) === '{"reports":1}')).toHaveLength(2);
});

test('an export needs the permissions to read reports and to export studies', async () => {
  const reader = await world.signIn();
  const referrer = await world.signIn('REFERRING_PHYSICIAN', reader.tenant);
  const paths = [`${reportHitsExport.path}?text=meningioma`, reportsExport.path];
  const answersTo = async (person: Person) => {
    const answers = await Promise.all(paths.map((url) => person.request({ url })));
    return answers.map(({ statusCode }) => statusCode);
  };

  expect(await answersTo(reader)).toEqual([200, 200]);
  expect(await answersTo(referrer)).toEqual([403, 403]);
  await world.inTenant(reader.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: world.sql`array_remove(permissions, 'report.view')` })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute(),
  );
  const exporter = await world.signIn('RADIOLOGIST', reader.tenant);
  expect(await answersTo(exporter)).toEqual([403, 403]);
});

test('exports the hits and the list as CSV, with formulas escaped and the filters of the screen', async () => {
  const author = await world.signIn();
  const study = await world.inTenant(author.tenant, (scope) =>
    addStudy(scope, { patient: { patient_name: '@SUM(1)^Jane' } }),
  );
  await author.send(reports.create, {
    params: { id: study.id },
    body: { content: english('Meningioma of the convexity.'), patientId: study.patientId },
  });
  await begin(author, english('Nothing of this kind.'));

  const hits = await author.request({ url: `${reportHitsExport.path}?text=meningioma&status=` });
  const list = await author.request({ url: `${reportsExport.path}?view=MINE&sort=createdAt,desc&status=DRAFT` });

  expect(hits.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(hits.headers['content-disposition']).toMatch(/^attachment; filename="report-texts-\d{4}-\d{2}-\d{2}\.csv"$/);
  const lines = hits.body.trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toMatch(/^"'@SUM\(1\), Jane",/);
  expect(lines[1]).toContain('Meningioma');
  expect(list.body.trim().split('\r\n')).toHaveLength(3);
  expect((await author.request({ url: `${reportHitsExport.path}?text=` })).statusCode).toBe(400);
});
