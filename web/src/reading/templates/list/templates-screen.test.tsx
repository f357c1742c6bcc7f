import { globalTemplates, templates } from '@radwork/contract/reading/templates';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { answer, refuse, type SentRequest, signIn, visit } from '#test/screen.tsx';
import { globalFor, pageOfTemplates, templateFor } from '#test/templates.ts';
import { editorIn, stubCanvas, write } from '#test/written-report.ts';
// Loads the editor and the screen in advance, so that the first test does not wait for them.
import '#reading/editor/report-editor.tsx';
import './templates-screen.tsx';

stubCanvas();

type Answers = Parameters<typeof visit>[1][];

const stored = templateFor({
  sections: [
    { name: 'Technique', content: '<p>CT.</p>', order: 1 },
    { name: 'Findings', content: '<p>Lungs: [lungs]</p>', order: 2 },
    { name: 'Impression', content: '<p>[impression]</p>', order: 3 },
  ],
});

const open = (address: string, ...more: Answers) =>
  visit(
    address,
    ...more,
    answer(templates.list, () => pageOfTemplates([stored])),
    answer(templates.ofModality, () => [stored]),
    answer(templates.get, () => stored),
    answer(templates.update, () => ({ ...stored, version: 2 })),
    answer(globalTemplates.list, () => [globalFor(), globalFor({ id: 'g2', name: 'House style', isStarter: false })]),
  );

const bodiesOf = (calls: SentRequest[], method: string) =>
  calls
    .filter((sent) => sent.method === method && sent.url.pathname.startsWith('/api/templates'))
    .map(({ body }) => body);

const sectionNames = () =>
  within(screen.getByRole('list', { name: 'Sections' }))
    .getAllByRole('button')
    .map((button) => button.textContent?.replace('empty', ''));

test.each([
  ['active', 'true'],
  ['inactive', 'false'],
])('the list shows %s templates with details, and the address contains its filters', async (activity, isActive) => {
  signIn('ADMIN');
  const { calls } = open(`/templates?modality=CT&bodyPart=CHEST&q=chest&activity=${activity}`);

  const row = within(await screen.findByRole('row', { name: /CT chest/ }));

  expect(row.getByText('Chest')).toBeDefined();
  const params = calls.find(({ url }) => url.pathname === '/api/templates')?.url.searchParams;
  expect(Object.fromEntries(params ?? [])).toEqual({
    page: '0',
    size: '25',
    modality: 'CT',
    bodyPart: 'CHEST',
    q: 'chest',
    isActive,
  });
});

test('a user without the template permission has no access', async () => {
  signIn('RADIOLOGIST');
  open('/templates');

  expect(await screen.findByRole('heading', { name: /access denied/i })).toBeDefined();
});

test('the list shows different messages when it is empty, filtered and failed', async () => {
  signIn('ADMIN');
  const nothing = answer(templates.list, () => pageOfTemplates([]));

  const first = open('/templates', nothing);
  expect(await screen.findByText('No templates yet')).toBeDefined();
  first.unmount();
  const second = open('/templates?q=zz', nothing);
  expect(await screen.findByText('No templates found matching your criteria')).toBeDefined();
  second.unmount();
  open('/templates', refuse(templates.list, 500, 'Server error occurred'));
  expect(await screen.findByText('Failed to load templates')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('template sections can be moved, renamed, added, deleted and restored, and are saved in order', async () => {
  signIn('ADMIN');
  const { calls } = open('/templates?edit=t1');
  await editorIn();

  const impression = screen.getByRole('button', { name: /Impression/ });
  impression.focus();
  fireEvent.keyDown(impression, { key: 'ArrowUp', altKey: true });
  expect(sectionNames()).toEqual(['Technique', 'Impression', 'Findings']);
  expect(screen.getByText('Impression is now section 2 of 3')).toBeDefined();
  const first = screen.getByRole('button', { name: /Technique/ });
  fireEvent.keyDown(first, { key: 'ArrowDown', altKey: true });
  expect(sectionNames()).toEqual(['Impression', 'Technique', 'Findings']);
  fireEvent.keyDown(screen.getByRole('button', { name: /Technique/ }), { key: 'ArrowUp', altKey: true });

  const items = within(screen.getByRole('list', { name: 'Sections' })).getAllByRole('listitem');
  const [technique, , findings] = items;
  if (!technique || !findings) throw new Error('three sections');
  fireEvent.dragStart(findings);
  fireEvent.dragOver(technique);
  fireEvent.drop(technique);
  expect(sectionNames()).toEqual(['Findings', 'Technique', 'Impression']);

  await userEvent.click(screen.getByRole('button', { name: 'Create section' }));
  const name = screen.getByRole('textbox', { name: 'Section name' });
  await userEvent.clear(name);
  await userEvent.type(name, 'Advice');
  await userEvent.click(screen.getByRole('button', { name: /Technique/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Delete section' }));
  expect(sectionNames()).toEqual(['Findings', 'Impression', 'Advice']);
  await userEvent.click(await screen.findByText('Undo'));
  expect(sectionNames()).toEqual(['Findings', 'Technique', 'Impression', 'Advice']);

  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
  await waitFor(() => expect(bodiesOf(calls, 'PUT')).toHaveLength(1));
  expect(bodiesOf(calls, 'PUT')[0]).toMatchObject({
    revision: 1,
    sections: [
      { name: 'Findings', content: '<p>Lungs: [lungs]</p>', order: 1 },
      { name: 'Technique', content: '<p>CT.</p>', order: 2 },
      { name: 'Impression', content: '<p>[impression]</p>', order: 3 },
      { name: 'Advice', content: '', order: 4 },
    ],
  });
});

test('an error of one template field appears at the field, other errors above the text', async () => {
  signIn('ADMIN');
  const fault = { field: 'name', message: 'Name is required' };
  let errors = [fault];
  const refused = refuse(templates.update, 422, '');
  open('/templates?edit=t1', {
    ...refused,
    reply: () =>
      Response.json(
        { code: 422, error: 'validation', message: errors[0]?.message, errors, traceId: 't' },
        { status: 422 },
      ),
  });
  await editorIn();
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'x');
  const save = screen.getByRole('button', { name: 'Save template' });
  const above = (words: string) =>
    screen.queryAllByText(words).filter((element) => element.closest('[class*="notices"]'));

  await userEvent.click(save);
  await waitFor(() => expect(screen.getByRole('textbox', { name: /^Name/ }).getAttribute('aria-invalid')).toBe('true'));
  expect(above('Name is required')).toEqual([]);
  errors = [{ field: 'sections.0.name', message: 'Section name is required' }];
  await userEvent.click(save);

  await waitFor(() => expect(above('Section name is required')).toHaveLength(1));
});

test('the text of a template section is edited like a report and saved in its section', async () => {
  signIn('ADMIN');
  const { calls } = open('/templates?edit=t1');
  write(await editorIn(), '<p>CT with contrast.</p>');

  await userEvent.click(screen.getByRole('button', { name: /Findings/ }));
  write(await editorIn(), '<p>All normal.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));

  await waitFor(() => expect(bodiesOf(calls, 'PUT')).toHaveLength(1));
  expect(bodiesOf(calls, 'PUT')[0]).toMatchObject({
    sections: [
      { content: '<p>CT with contrast.</p>' },
      { content: '<p>All normal.</p>' },
      { content: '<p>[impression]</p>' },
    ],
  });
});

test('a new template stays open after saving, and leaving it does not ask for confirmation', async () => {
  signIn('ADMIN');
  const { address } = open(
    '/templates?edit=new',
    answer(templates.create, () => ({ ...stored, id: 't9' })),
  );
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), 'CT chest');

  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));

  await waitFor(() => expect(address()).toContain('edit=t9'));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['a template', 't1', /Technique/],
  ['a new template', 'new', /Indication/],
])('template text written in %s when the session ends is restored', async (_, id, section) => {
  signIn('ADMIN');
  const ended = ['create', 'update'] as const;
  const first = open(
    `/templates?edit=${id}`,
    ...ended.map((act) => refuse(templates[act], 401, 'Your session has ended')),
  );
  write(await editorIn(), '<p>CT with contrast, in three phases.</p>');
  const save = screen.getByRole('button', { name: 'Save template' });
  await waitFor(() => expect(save.hasAttribute('disabled')).toBe(false));
  await userEvent.click(save);
  await waitFor(() => expect(first.address()).toMatch(/^\/login/));
  first.unmount();

  signIn('ADMIN');
  const { calls } = open(
    `/templates?edit=${id}`,
    answer(templates.create, () => ({ ...stored, id: 't9' })),
  );
  expect(await screen.findByText('Your unsaved entries were restored.')).toBeDefined();
  expect(screen.getByRole('button', { name: section, pressed: true })).toBeDefined();
  expect((await editorIn()).getHTML()).toBe('<p>CT with contrast, in three phases.</p>');
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));

  await waitFor(() => expect(bodiesOf(calls, id === 'new' ? 'POST' : 'PUT')).toHaveLength(1));
  await waitFor(() => expect(screen.queryByText('Your unsaved entries were restored.')).toBeNull());
  expect(Object.keys(localStorage).filter((name) => name.includes('template'))).toEqual([]);
});

test('restored text does not overwrite a template saved meanwhile by another user', async () => {
  signIn('ADMIN');
  const first = open('/templates?edit=t1');
  write(await editorIn(), '<p>CT with contrast.</p>');
  await userEvent.click(screen.getByRole('button', { name: /Findings/ }));
  const storedEntries = Object.entries(localStorage);
  first.unmount();
  for (const [key, value] of storedEntries) localStorage.setItem(key, String(value));

  const { calls } = open(
    '/templates?edit=t1',
    answer(templates.get, () => ({ ...stored, version: 2 })),
  );
  expect(await screen.findByText('Your unsaved entries were restored.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));

  await waitFor(() => expect(bodiesOf(calls, 'PUT')).toEqual([expect.objectContaining({ revision: 1 })]));
});

test('the preview of a template shows sample data and normal findings', async () => {
  signIn('ADMIN');
  open(
    '/templates?edit=t1',
    answer(templates.get, () => ({ ...stored, content: '<p>{{patient.name}}, {{patient.age}}</p>' })),
  );

  await userEvent.click(await screen.findByRole('tab', { name: 'Preview' }));
  expect(screen.getByText('Sample, Alex, 58 years')).toBeDefined();
  expect(screen.getByText('Lungs: [lungs]')).toBeDefined();
  await userEvent.click(screen.getByRole('switch', { name: 'Normal findings' }));

  expect(screen.getByText('Lungs are clear.')).toBeDefined();
  expect(screen.queryByText('Lungs: [lungs]')).toBeNull();
});

/** Edits a template that Bo Busy saves meanwhile. Returns the requests and a function to edit the description. */
const openWhileChanged = async () => {
  signIn('ADMIN');
  let isRefusing = true;
  const othersTemplate = { ...stored, version: 2, updatedBy: 'Bo Busy', description: 'Theirs' };
  const refusal = refuse(templates.update, 409, 'Bo Busy changed the template (version 2). Reload it.');
  const { calls } = open(
    '/templates?edit=t1',
    answer(templates.get, () => (isRefusing ? stored : othersTemplate)),
    {
      ...refusal,
      reply: (sent) => {
        isRefusing = false;
        const isLate = (sent.body as { revision: number }).revision === 1;
        const error = {
          code: 409,
          error: 'template.changed',
          message: 'Bo Busy changed the template',
          traceId: 'x',
        };
        return isLate
          ? Response.json(error, { status: 409 })
          : Response.json({ code: 200, message: 'OK', data: { ...stored, version: 3 } });
      },
    },
  );
  await editorIn();
  const description = screen.getByRole<HTMLInputElement>('textbox', { name: 'Description' });
  await userEvent.clear(description);
  await userEvent.type(description, 'Mine');
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
  expect(await screen.findByText(/Bo Busy saved version 2 while you were editing/)).toBeDefined();
  return { calls };
};

const describeAs = async (words: string) => {
  await userEvent.type(screen.getByRole('textbox', { name: 'Description' }), words);
  await userEvent.click(screen.getByRole('button', { name: 'Save template' }));
};

test('a template conflict shows user and differences, and the writer can continue either text', async () => {
  const { calls } = await openWhileChanged();

  await userEvent.click(screen.getByRole('button', { name: 'Show differences' }));
  const differences = within(screen.getByRole('region', { name: 'Differences between the saved text and yours' }));
  expect(differences.getByText('Theirs')).toBeDefined();
  expect(differences.getByText('Mine')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Keep my text' }));
  await describeAs(', still');

  await waitFor(() => expect(bodiesOf(calls, 'PUT')).toHaveLength(2));
  expect(bodiesOf(calls, 'PUT')[1]).toMatchObject({ revision: 2, description: 'Mine, still' });
});

test('"Use saved text" continues with the template text of the other user', async () => {
  const { calls } = await openWhileChanged();

  await userEvent.click(screen.getByRole('button', { name: 'Use saved text' }));
  await describeAs(', and more');

  await waitFor(() => expect(bodiesOf(calls, 'PUT')).toHaveLength(2));
  expect(bodiesOf(calls, 'PUT')[1]).toMatchObject({ revision: 2, description: 'Theirs, and more' });
});

test('a template version is compared with the current text, and restoring it counts as a change', async () => {
  signIn('ADMIN');
  const { name, ...earlier } = stored;
  const saved = { savedBy: 'Ada Admin', savedAt: '2026-11-20T10:00:00Z' };
  const first = { ...earlier, ...saved, name: 'Old name', version: 1, content: '<p>Removed words.</p>' };
  open(
    '/templates?edit=t1',
    answer(templates.versions, () => [{ ...stored, ...saved, version: 2 }, first]),
  );

  await userEvent.click(await screen.findByRole('tab', { name: 'Versions' }));
  expect(await screen.findByText('Version 1 compared with current text')).toBeDefined();
  expect(screen.getByText('Old name').tagName).toBe('DEL');
  expect(screen.getByText(name, { selector: 'ins' })).toBeDefined();
  expect(screen.getByText(/Removed words/).closest('del')).not.toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Restore this text' }));

  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /^Name/ }).value).toBe('Old name');
  expect(screen.getByRole('button', { name: 'Save template' }).hasAttribute('disabled')).toBe(false);
});

const choose = async (item: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for CT chest' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

test('an inactive template is marked in the list and can be activated', async () => {
  signIn('ADMIN');
  const { calls } = open(
    '/templates',
    answer(templates.list, () => pageOfTemplates([{ ...stored, isActive: false }])),
  );
  expect(await screen.findByRole('row', { name: /CT chest ?· Inactive/ })).toBeDefined();

  await choose('Activate');

  await waitFor(() =>
    expect(bodiesOf(calls, 'PUT')).toEqual([expect.objectContaining({ isActive: true, version: 1 })]),
  );
});

test('deleting a template that reports use offers to deactivate it instead', async () => {
  signIn('ADMIN');
  open(
    '/templates',
    answer(templates.list, () => pageOfTemplates([{ ...stored, useCount: 4 }])),
  );

  await choose('Delete');

  const question = within(await screen.findByRole('dialog', { name: 'Deactivate template?' }));
  expect(question.getByText(/was used in 4 reports\. The template stays/)).toBeDefined();
});

test('a template can be duplicated, deactivated, and deleted after a confirmation', async () => {
  signIn('ADMIN');
  const { calls, address } = open(
    '/templates',
    answer(templates.create, () => ({ ...stored, id: 't9' })),
    answer(templates.remove, () => null),
  );

  await choose('Deactivate');
  await waitFor(() =>
    expect(bodiesOf(calls, 'PUT')).toEqual([expect.objectContaining({ isActive: false, version: 1 })]),
  );
  await choose('Delete');
  const question = within(await screen.findByRole('dialog', { name: 'Delete template?' }));
  expect(bodiesOf(calls, 'DELETE')).toEqual([]);
  await userEvent.click(question.getByRole('button', { name: 'Delete template' }));
  await waitFor(() => expect(bodiesOf(calls, 'DELETE')).toHaveLength(1));
  await choose('Duplicate');

  await waitFor(() => expect(bodiesOf(calls, 'POST')).toEqual([expect.objectContaining({ name: 'CT chest (copy)' })]));
  await waitFor(() => expect(address()).toContain('edit=t9'));
});

test('an administrator copies global templates; a super administrator edits them', async () => {
  signIn('ADMIN');
  const copied = answer(globalTemplates.copy, () => stored);
  const first = open('/templates?tab=global', copied);
  await userEvent.click(await screen.findByRole('button', { name: 'Copy CT chest' }));
  expect(await screen.findByText('Template copied')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^(Edit|Delete|New)/ })).toBeNull();
  first.unmount();

  signIn('SUPER_ADMIN');
  open('/templates?tab=global', copied);

  expect(await screen.findByRole('button', { name: 'Edit House style' })).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Edit CT chest' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Create global template' })).toBeDefined();
});

test('a template file above the size limit is not sent', async () => {
  signIn('ADMIN');
  const { calls } = open('/templates');
  await userEvent.click(await screen.findByRole('button', { name: 'Import MRRT' }));
  await screen.findByRole('dialog', { name: 'Import MRRT template' });
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('a file can be chosen');

  await userEvent.upload(input, new File(['x'.repeat(512 * 1024 + 1)], 'ct.html', { type: 'text/html' }));

  expect(await screen.findByText('The file is larger than 512 KB')).toBeDefined();
  expect(bodiesOf(calls, 'POST')).toEqual([]);
});

test('an imported MRRT file lists its omitted parts and is saved after a review', async () => {
  signIn('ADMIN');
  const read = { form: { ...templateFor({ name: 'Imported' }), modality: '' }, leftOut: ['Script', 'Images'] };
  const { calls, address } = open(
    '/templates',
    answer(templates.readMrrt, () => read),
    answer(templates.create, () => ({ ...stored, id: 't7' })),
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Import MRRT' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Import MRRT template' }));
  const input = document.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error('a file can be chosen');
  await userEvent.upload(input, new File(['<section>x</section>'], 'ct.html', { type: 'text/html' }));

  expect(await dialog.findByText('Script')).toBeDefined();
  expect(dialog.getByText('Images')).toBeDefined();
  expect(bodiesOf(calls, 'POST')).toEqual([{ html: '<section>x</section>' }]);
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: /Modality/ }), 'CT');
  await userEvent.click(dialog.getByRole('button', { name: 'Save template' }));

  await waitFor(() => expect(bodiesOf(calls, 'POST')[1]).toMatchObject({ name: 'Imported', modality: 'CT' }));
  await waitFor(() => expect(address()).toContain('edit=t7'));
});

test('the template editor lists the fields of a template and names their faults while the author writes', async () => {
  signIn('ADMIN');
  open(
    '/templates?edit=t1',
    answer(templates.get, () => ({ ...stored, content: '<p>[Side: laterality], [Size: number mm 0-200]</p>' })),
  );
  expect(await screen.findByText('2 fields')).toBeDefined();
  expect(screen.getByText('left | right | bilateral')).toBeDefined();
  expect(screen.getByText('number mm 0 – 200')).toBeDefined();

  await userEvent.click(screen.getByRole('button', { name: /Opening text/ }));
  write(await editorIn(), '<p>[Side: left|]</p>');

  const faults = within(await screen.findByRole('list', { name: 'Faults in fields' }));
  expect(faults.getByText(/The field “Side” has an empty choice/)).toBeDefined();
});
