import { templates } from '@radwork/contract/reading/templates';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { sortedStatuses } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { textOf } from './template-rows.ts';

const world = await createWorld();

const form = (differences: object = {}) => ({
  name: `CT chest ${newId()}`,
  description: 'With contrast medium',
  modality: 'CT',
  bodyPart: 'CHEST',
  isActive: true,
  content: '<p>{{patient.name}}</p>',
  sections: [
    { name: 'Technique', content: '<p>CT of the chest.</p>', order: 1 },
    { name: 'Findings', content: '<p><strong>Lungs:</strong> [lungs]</p>', order: 2 },
  ],
  normalFindings: [{ bodyPart: 'CHEST', modality: 'CT', content: '<p>Lungs are clear.</p>' }],
  ...differences,
});

const make = async ({ send }: Person, differences: object = {}) =>
  (await send(templates.create, { body: form(differences) })).data;

const auditedActions = (person: Person) =>
  world.inTenant(person.tenant, async ({ db }) => {
    const entries = await db
      .selectFrom('audit_entries')
      .select('action')
      .where('entity', '=', 'template')
      .orderBy('id')
      .execute();
    return entries.map(({ action }) => action);
  });

test('an administrator creates a template with every field, and readers can use it', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const newTemplate = form();

  const created = await admin.send(templates.create, { body: newTemplate });
  const read = await reader.send(templates.get, { params: { id: created.data.id } });

  expect(created.code).toBe(200);
  expect(read.data).toEqual({
    ...newTemplate,
    id: created.data.id,
    version: 1,
    updatedBy: admin.session.name,
    updatedAt: expect.any(String),
    useCount: 0,
    lastUsedAt: null,
    copiedFrom: null,
  });
  expect(await auditedActions(admin)).toEqual(['template.create']);
});

test('refuses template changes by users who only write reports', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { id } = await make(admin);

  const answers = await Promise.all([
    reader.send(templates.create, { body: form() }),
    reader.send(templates.update, { params: { id }, body: form({ revision: 1 }) }),
    reader.send(templates.remove, { params: { id } }),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
});

test('filters templates by modality, body part, activity and words, page by page', async () => {
  const admin = await world.signIn('ADMIN');
  const chest = await make(admin, { name: 'Zeta chest' });
  const knee = await make(admin, {
    name: 'Alpha knee',
    description: 'Menisci',
    modality: 'MR',
    bodyPart: 'knee',
    sections: [{ name: 'Ligaments', content: '<p>[x]</p>' }],
  });
  const old = await make(admin, { name: 'Beta film', modality: 'DX', isActive: false });
  const namesFor = async (query: Record<string, string | number>) => {
    const { data } = await admin.send(templates.list, { query });
    return data.content.map(({ name }) => name);
  };

  const everything = await admin.send(templates.list);

  expect(everything.data).toMatchObject({ totalElements: 3, totalPages: 1, number: 0, size: 10 });
  // Inactive templates come last, sorted by name among themselves.
  expect(everything.data.content).toEqual([knee, chest, old]);
  expect(await namesFor({ modality: 'MR' })).toEqual([knee.name]);
  expect(await namesFor({ modality: 'xr' })).toEqual([old.name]);
  expect(await namesFor({ modality: 'CT', bodyPart: 'chest' })).toEqual([chest.name]);
  expect(await namesFor({ bodyPart: 'HEAD' })).toEqual([]);
  expect(await namesFor({ isActive: 'false' })).toEqual([old.name]);
  expect(await namesFor({ isActive: 'true', size: 1, page: 1 })).toEqual([chest.name]);
  expect(await namesFor({ q: 'ALPHA' })).toEqual([knee.name]);
  expect(await namesFor({ q: 'menisc' })).toEqual([knee.name]);
  expect(await namesFor({ q: 'ligaments knee' })).toEqual([knee.name]);
  expect(await namesFor({ q: 'ligaments chest' })).toEqual([]);
  expect(await namesFor({ q: '%' })).toEqual([]);
  expect((await admin.send(templates.list, { query: { isActive: 'maybe' } })).code).toBe(400);
});

test('finds a renamed template only by its new words', async () => {
  const admin = await world.signIn('ADMIN');
  const created = await make(admin, { name: 'Urogram', sections: [{ name: 'Kidneys', content: '<p>[x]</p>' }] });
  await admin.send(templates.update, {
    params: { id: created.id },
    body: { ...created, name: 'Renal survey', sections: [{ name: 'Ureters', content: '<p>[x]</p>' }] },
  });

  const responses = await Promise.all(
    ['renal', 'ureters', 'urogram', 'kidneys'].map((q) => admin.send(templates.list, { query: { q } })),
  );

  expect(responses.map(({ data }) => data.totalElements)).toEqual([1, 1, 0, 0]);
});

test('lists the active templates of a modality; XR means any plain radiograph', async () => {
  const admin = await world.signIn('ADMIN');
  const radiograph = await make(admin, { modality: 'DX' });
  await make(admin, { modality: 'DX', isActive: false });
  await make(admin, { modality: 'CT' });

  const radiographTemplates = await admin.send(templates.ofModality, { params: { modality: 'xr' } });
  const none = await admin.send(templates.ofModality, { params: { modality: 'US' } });

  expect(radiographTemplates.data).toEqual([radiograph]);
  expect(none.data).toEqual([]);
});

test.each([
  ['no name', { name: ' ' }, { name: 'Name is required' }],
  ['a name that is too long', { name: 'x'.repeat(121) }, { name: 'The name is longer than 120 characters' }],
  ['no modality', { modality: '' }, { modality: 'Modality is required' }],
  ['an unknown modality', { modality: 'ZZ' }, { modality: 'Choose a modality from the list' }],
  [
    'neither section nor content',
    { sections: [], content: ' ' },
    { sections: 'Add at least one section or some content' },
  ],
  [
    'content without text',
    { sections: [], content: '<p> </p>' },
    { sections: 'Add at least one section or some content' },
  ],
  ['a section without a name', { sections: [{ name: '' }] }, { 'sections.0.name': 'Section name is required' }],
  [
    'an unknown merge field',
    { content: '<p>{{patient.shoe}}</p>' },
    { content: 'Unknown merge field {{patient.shoe}}' },
  ],
  [
    'a merge field in a link',
    { content: '<p><a href="https://example.org/?p={{patient.id}}">x</a></p>' },
    { content: 'Merge fields cannot be used in links or images' },
  ],
  [
    'a partly bold merge field',
    { sections: [{ name: 'x', content: '<p>{{patient.<strong>name</strong>}}</p>' }] },
    {
      'sections.0.content':
        'A merge field is incomplete or partly formatted. Write it in one piece, such as {{patient.name}}.',
    },
  ],
  [
    'content longer than a report may be',
    { content: `<p>${'a'.repeat(10_001)}</p>` },
    { sections: 'The template is longer than 10,000 characters' },
  ],
  [
    'content and sections that together are longer than a report may be',
    { content: `<p>${'a'.repeat(6000)}</p>`, sections: [{ name: 'x', content: `<p>${'b'.repeat(6000)}</p>` }] },
    { sections: 'The template is longer than 10,000 characters' },
  ],
  [
    'a normal finding longer than a report may be',
    { normalFindings: [{ content: `<p>${'a'.repeat(10_001)}</p>` }] },
    { sections: 'The template is longer than 10,000 characters' },
  ],
  [
    'an unknown merge field in a normal finding',
    { normalFindings: [{ content: '<p>{{patient.shoe}}</p>' }] },
    { 'normalFindings.0.content': 'Unknown merge field {{patient.shoe}}' },
  ],
])('refuses a template with %s', async (_, differences, errors) => {
  const admin = await world.signIn('ADMIN');

  const reply = await admin.send(templates.create, { body: form(differences) });

  expect(reply.code).toBe(422);
  expect(Object.fromEntries((reply.errors ?? []).map(({ field, message }) => [field, message]))).toEqual(errors);
});

test('a template name is unique per modality and tenant, ignoring case', async () => {
  const [admin, elsewhere] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const { name } = await make(admin);
  const other = await make(admin);

  const again = await admin.send(templates.create, { body: form({ name: name.toUpperCase() }) });
  const renamed = await admin.send(templates.update, { params: { id: other.id }, body: form({ name, revision: 1 }) });
  const forMr = await admin.send(templates.create, { body: form({ name, modality: 'MR' }) });
  const otherTenantTemplate = await elsewhere.send(templates.create, { body: form({ name }) });

  const words = 'A template with this name already exists for this modality';
  expect(again).toMatchObject({ code: 409, message: words, errors: [{ field: 'name', message: words }] });
  expect(renamed).toMatchObject({ code: 409, message: words });
  expect([forMr.code, otherTenantTemplate.code]).toEqual([200, 200]);
});

test('keeps the order of sections and accepts a single normal finding instead of a list', async () => {
  const admin = await world.signIn('ADMIN');
  const sections = [
    { name: 'Second', content: '', order: 7 },
    { name: 'First', content: '<p>a</p>', order: 2 },
  ];

  const created = await make(admin, { sections, normalFindings: { bodyPart: 'chest', content: '<p>Clear.</p>' } });

  expect(created.sections).toEqual([
    { name: 'First', content: '<p>a</p>', order: 1 },
    { name: 'Second', content: '', order: 2 },
  ]);
  expect(created.normalFindings).toEqual([{ bodyPart: 'CHEST', modality: '', content: '<p>Clear.</p>' }]);
});

test('a change creates the next version of a template; each version keeps its text and author', async () => {
  const admin = await world.signIn('ADMIN');
  const colleague = await world.signIn('ADMIN', admin.tenant);
  const created = await make(admin);
  const params = { id: created.id };

  const changed = await colleague.send(templates.update, { params, body: { ...created, content: '<p>New</p>' } });
  const off = await admin.send(templates.update, { params, body: { ...changed.data, isActive: false } });
  const versions = await admin.send(templates.versions, { params });

  expect(changed.data).toMatchObject({ version: 2, content: '<p>New</p>', updatedBy: colleague.session.name });
  expect(off.data).toMatchObject({ version: 3, isActive: false });
  const text = textOf(created);
  expect(versions.data).toEqual([
    {
      ...text,
      content: '<p>New</p>',
      isActive: false,
      version: 3,
      savedBy: admin.session.name,
      savedAt: off.data.updatedAt,
    },
    { ...text, content: '<p>New</p>', version: 2, savedBy: colleague.session.name, savedAt: changed.data.updatedAt },
    { ...text, version: 1, savedBy: admin.session.name, savedAt: created.updatedAt },
  ]);
});

test('if two users change a template at the same time, refuses the second change, and names the other user and the differences', async () => {
  const admin = await world.signIn('ADMIN');
  const colleague = await world.signIn('ADMIN', admin.tenant);
  const created = await make(admin);
  const params = { id: created.id };
  await colleague.send(templates.update, {
    params,
    body: { ...created, description: 'Theirs', content: '<p>Theirs</p>' },
  });

  const late = await admin.send(templates.update, {
    params,
    body: { ...created, content: '<p>Mine</p>', revision: 1 },
  });
  const withoutRevision = await admin.send(templates.update, { params, body: form() });

  expect(late).toMatchObject({
    code: 409,
    message: `${colleague.session.name} changed the template (version 2). Reload it.`,
    errors: [
      { field: 'description', message: 'Now "Theirs"' },
      { field: 'content', message: `Changed by ${colleague.session.name}` },
    ],
  });
  expect(withoutRevision).toMatchObject({ code: 422 });
  expect((await admin.send(templates.get, { params })).data).toMatchObject({ version: 2, content: '<p>Theirs</p>' });
  expect((await admin.send(templates.versions, { params })).data).toHaveLength(2);
});

test('two simultaneous changes create only one new version', async () => {
  const admin = await world.signIn('ADMIN');
  const created = await make(admin);
  const params = { id: created.id };

  const answers = await Promise.all(
    ['a', 'b', 'c'].map((word) =>
      admin.send(templates.update, { params, body: { ...created, content: `<p>${word}</p>` } }),
    ),
  );

  expect(sortedStatuses(answers)).toEqual([200, 409, 409]);
  expect((await admin.send(templates.versions, { params })).data).toHaveLength(2);
});

test('deleting an unused template deletes its versions', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await make(admin);

  const removed = await admin.send(templates.remove, { params: { id } });
  const read = await admin.send(templates.get, { params: { id } });

  expect(removed).toMatchObject({ code: 200, data: null });
  expect(read.code).toBe(404);
  expect(await auditedActions(admin)).toEqual(['template.create', 'template.delete']);
});

test('deleting a used template deactivates it', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const { id } = await make(admin);
  await reader.send(templates.noteUse, { params: { id } });

  const removed = await admin.send(templates.remove, { params: { id } });
  const again = await admin.send(templates.remove, { params: { id } });

  expect(removed.data).toMatchObject({ id, isActive: false, version: 2, useCount: 1, lastUsedAt: expect.any(String) });
  expect(again.data).toEqual(removed.data);
  expect((await admin.send(templates.versions, { params: { id } })).data).toHaveLength(2);
});

test('an administrator cannot insert a template into a report', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await make(admin);

  const used = await admin.send(templates.noteUse, { params: { id } });

  expect(used.code).toBe(403);
});
