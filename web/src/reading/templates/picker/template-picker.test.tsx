import { globalTemplates, templateFacts, templates } from '@radwork/contract/reading/templates';
import { Editor } from '@tiptap/core';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, onTestFinished, test, vi } from 'vitest';
import { insertIntoFindings } from '#reading/editor/extensions/caret-place.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { chestCt, globalFor, pageOfTemplates, templateFor } from '#test/templates.ts';
import { TemplatePicker } from './template-picker.tsx';

const editorWith = (content: string) => {
  const element = document.createElement('div');
  document.body.append(element);
  const editor = new Editor({ element, extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => {
    editor.destroy();
    element.remove();
  });
  return editor;
};

const values = { 'patient.name': 'Roe, <b>Rita</b>' };

const factsWith = (chosenTemplateId: string | null) =>
  answer(templateFacts.ofStudy, () => ({ patientRecordId: 'jane', values, exam: chestCt, chosenTemplateId }));

const facts = factsWith(null);

type Answers = Parameters<typeof serve>;

const chest = templateFor();
const knee = templateFor({ id: 't2', name: 'MR knee', description: 'Menisci', modality: 'MR', bodyPart: 'KNEE' });
const old = templateFor({ id: 't3', name: 'An old CT', isActive: false });

/** Server with these templates. It filters as the real server does, as far as these tests need. */
const serving = (
  own = [knee, old, chest],
  globals = [globalFor({ name: 'CT head', bodyPart: 'HEAD' })],
  ...more: Answers
) =>
  serve(
    ...more,
    facts,
    answer(templates.list, ({ url: { searchParams } }) => {
      const [modality, q] = [searchParams.get('modality'), searchParams.get('q')];
      const matches = own.filter(
        (one) => (!modality || one.modality === modality) && (!q || one.name.toLowerCase().includes(q)),
      );
      return pageOfTemplates(matches);
    }),
    answer(templates.ofModality, () => own.filter(({ modality }) => modality === 'MR')),
    answer(globalTemplates.list, () => globals),
    answer(templates.get, ({ url }) => own.find(({ id }) => url.pathname.endsWith(id)) ?? chest),
    answer(templates.noteUse, () => undefined),
    answer(templateFacts.choose, () => undefined),
  );

const showPicker = (editor: Editor, onClose = () => {}) =>
  show(<TemplatePicker opened editor={editor} studyId="s1" onClose={onClose} />);

const cards = async () => {
  const grid = await screen.findByRole('list', { name: 'Templates' });
  return within(grid)
    .getAllByRole('button')
    .map((card) => card.textContent ?? '');
};

test('the best matching template comes first with the reason, and inactive templates come last', async () => {
  serving();
  showPicker(editorWith('<p></p>'));

  const cardTexts = await cards();

  expect(cardTexts[0]).toMatch(/^CT chest.*Best match: matches CT chest$/);
  expect(cardTexts.slice(1, 3).toSorted()).toEqual([
    expect.stringMatching(/^CT head.*Global$/),
    expect.stringMatching(/^MR knee/),
  ]);
  expect(cardTexts[3]).toMatch(/^An old CT.*Inactive$/);
});

test('the body part filter appears after a modality is chosen, and the search finds text', async () => {
  const calls = serving();
  showPicker(editorWith('<p></p>'));
  await cards();
  expect(screen.queryByRole('combobox', { name: 'Body part' })).toBeNull();

  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Modality' }), 'MR');
  const bodyPart = await screen.findByRole('combobox', { name: 'Body part' });
  await waitFor(() => expect(within(bodyPart).getAllByRole('option')).toHaveLength(2));
  await userEvent.selectOptions(bodyPart, 'Knee');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search templates' }), 'knee');

  await waitFor(() => {
    const params = calls.findLast(({ url }) => url.pathname === '/api/templates')?.url.searchParams;
    expect(Object.fromEntries(params ?? [])).toEqual({ size: '200', modality: 'MR', bodyPart: 'KNEE', q: 'knee' });
  });
  expect(await cards()).toEqual([expect.stringMatching(/^MR knee/)]);
});

test('the same search finds global templates and those of the organization', async () => {
  const skull = globalFor({
    id: 'g2',
    name: 'Base of the skull',
    description: 'Without contrast',
    bodyPart: 'HEAD',
    sections: [{ name: 'Ventricles', content: '', order: 1 }],
  });
  serving([], [globalFor(), skull]);
  showPicker(editorWith('<p></p>'));
  const search = await screen.findByRole('searchbox', { name: 'Search templates' });
  const seeOnly = (name: RegExp) => waitFor(async () => expect(await cards()).toEqual([expect.stringMatching(name)]));

  for (const [words, name] of [
    ['skull', /^Base of the skull/],
    ['chest', /^CT chest/],
    ['without ventricles', /^Base of the skull/],
  ] as const) {
    await userEvent.clear(search);
    await userEvent.type(search, words);
    await seeOnly(name);
  }
  await userEvent.clear(search);
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Modality' }), 'CT');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Body part' }), 'Chest');
  await seeOnly(/^CT chest/);
});

test('choosing another modality clears the body part in the request for templates', async () => {
  const calls = serving();
  showPicker(editorWith('<p></p>'));
  await cards();
  const modality = screen.getByRole('combobox', { name: 'Modality' });

  await userEvent.selectOptions(modality, 'MR');
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Body part' }), 'Knee');
  await userEvent.selectOptions(modality, 'CT');

  await waitFor(() => {
    const params = calls.findLast(({ url }) => url.pathname === '/api/templates')?.url.searchParams;
    expect(Object.fromEntries(params ?? [])).toEqual({ size: '200', modality: 'CT' });
  });
});

test('the template picker shows a message if it finds nothing', async () => {
  serving([], []);
  showPicker(editorWith('<p></p>'));

  expect(await screen.findByText('No templates found matching your criteria')).toBeDefined();
});

test.each([
  ['the list', refuse(templates.list, 500, 'Server error occurred'), 'Failed to load templates'],
  ['a template', refuse(templates.get, 500, 'Server error occurred'), 'Failed to fetch template'],
])('a failure to load %s shows a message and a retry button', async (_, refusal, words) => {
  serving(undefined, undefined, refusal);
  showPicker(editorWith('<p></p>'));

  expect(await screen.findByText(words)).toBeDefined();
  expect(screen.getByRole('button', { name: 'Retry' })).toBeDefined();
});

test('a template that fails to load a second time shows an error', async () => {
  let isAway = false;
  const get = answer(templates.get, () => chest);
  const away = refuse(templates.get, 500, 'Server error occurred');
  serving(undefined, undefined, { ...get, reply: (sent) => (isAway ? away : get).reply(sent) });
  showPicker(editorWith('<p></p>'));
  expect(await screen.findByRole('button', { name: 'Insert' })).toBeDefined();

  isAway = true;
  await userEvent.click(screen.getByRole('button', { name: /^CT head/ }));
  await userEvent.click(screen.getByRole('button', { name: /^CT chest/ }));

  expect(await screen.findByText('Failed to load template content')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Insert' })).toBeNull();
});

test('a template fills an empty report, writes merge fields as text and selects the first field', async () => {
  const calls = serving();
  const onClose = vi.fn<() => void>();
  const editor = editorWith('<p></p>');
  showPicker(editor, onClose);

  await userEvent.click(await screen.findByRole('button', { name: 'Insert' }));

  expect(editor.getHTML()).toBe(
    '<h2>Technique</h2><p>CT for <span data-filled="patient name">Roe, &lt;b&gt;Rita&lt;/b&gt;</span>.</p><h2>Findings</h2><p>Lungs: [lungs]</p>',
  );
  const { from, to } = editor.state.selection;
  expect(editor.state.doc.textBetween(from, to)).toBe('[lungs]');
  expect(onClose).toHaveBeenCalledOnce();
  await waitFor(() => expect(calls.map(({ url }) => url.pathname)).toContain('/api/templates/t1/uses'));
  expect(calls.find(({ url }) => url.pathname === '/api/studies/s1/template-choice')?.body).toEqual({
    templateId: 't1',
  });
});

test('inserting normal findings replaces the fields of the findings', async () => {
  serving();
  const editor = editorWith('<p></p>');
  showPicker(editor);

  await userEvent.click(await screen.findByRole('switch', { name: 'Normal findings' }));
  await userEvent.click(screen.getByRole('button', { name: 'Insert' }));

  expect(editor.getText()).toContain('Lungs are clear.');
  expect(editor.getText()).not.toContain('[lungs]');
});

test('a template that replaces the text leaves the place of a figure to the findings', async () => {
  const impression = { name: 'Impression', content: '<p>[conclusion]</p>', order: 3 };
  serving([templateFor({ sections: [...templateFor().sections, impression] })]);
  const editor = editorWith('<p></p>');
  showPicker(editor);
  await userEvent.click(await screen.findByRole('button', { name: 'Insert' }));

  insertIntoFindings(editor, '<p>Figure</p><p>Caption</p>');

  expect(editor.getText()).toMatch(/Lungs:.*\s+Figure\s+Caption\s+Impression/);
});

test('a template is inserted at the cursor, and undo removes it', async () => {
  serving();
  const editor = editorWith('<p>Before.</p>');
  editor.commands.setTextSelection(8);
  showPicker(editor);

  await userEvent.click(await screen.findByRole('button', { name: 'Insert at cursor' }));
  const inserted = editor.getText();
  editor.commands.undo();

  expect(inserted).toMatch(/^Before\.\s+Technique/);
  expect(editor.getHTML()).toBe('<p>Before.</p>');
});

test('replacing a text by a template asks first, and undo restores the text', async () => {
  serving();
  const editor = editorWith('<p>Before.</p>');
  showPicker(editor);

  await userEvent.click(await screen.findByRole('button', { name: 'Replace text' }));
  const question = await screen.findByRole('dialog', { name: 'Replace report text?' });
  const untouched = editor.getText();
  await userEvent.click(within(question).getByRole('button', { name: 'Replace text' }));
  await waitFor(() => expect(editor.getText()).not.toContain('Before.'));
  editor.commands.undo();

  expect(untouched).toBe('Before.');
  expect(editor.getHTML()).toBe('<p>Before.</p>');
});

test('an inactive template is shown but cannot be inserted', async () => {
  serving([old], []);
  showPicker(editorWith('<p>Before.</p>'));

  await userEvent.click(await screen.findByRole('button', { name: /^An old CT/ }));

  expect(await screen.findByText('Inactive templates cannot be inserted.')).toBeDefined();
  for (const name of ['Insert at cursor', 'Replace text']) {
    expect(screen.getByRole('button', { name }).hasAttribute('disabled')).toBe(true);
  }
});

test('a template that exceeds the report size is not inserted', async () => {
  serving();
  const onClose = vi.fn<() => void>();
  const full = `<p>${'a'.repeat(9990)}</p>`;
  const editor = editorWith(full);
  showPicker(editor, onClose);

  await userEvent.click(await screen.findByRole('button', { name: 'Insert at cursor' }));

  expect(editor.getHTML()).toBe(full);
  expect(onClose).not.toHaveBeenCalled();
});

test('a global template and its copy in the organization are offered as one template', async () => {
  const copy = templateFor({ copiedFrom: 'g1', name: 'Our CT chest' });
  serving([copy], [globalFor()]);
  showPicker(editorWith('<p></p>'));

  expect(await cards()).toEqual([expect.stringMatching(/^Our CT chest/)]);
});

test('the picker offers the templates of all result pages, with the best match first', async () => {
  const many = Array.from({ length: 249 }, (_, index) =>
    templateFor({ id: `m${index}`, name: `MR ${index}`, modality: 'MR' }),
  );
  const all = [...many, templateFor({ id: 'last', name: 'Zz chest', description: 'Thorax' })];
  serve(
    facts,
    answer(templates.list, ({ url: { searchParams } }) => {
      const [size, page] = [Number(searchParams.get('size')), Number(searchParams.get('page'))];
      const content = all.slice(page * size, (page + 1) * size);
      return { content, totalElements: all.length, totalPages: Math.ceil(all.length / size), number: page, size };
    }),
    answer(globalTemplates.list, () => [
      globalFor({ id: 'g2', name: 'zz CHEST' }),
      globalFor({ name: 'CT head', bodyPart: 'HEAD' }),
    ]),
    answer(templates.get, () => chest),
  );
  showPicker(editorWith('<p></p>'));

  const cardTexts = await cards();

  expect(cardTexts).toHaveLength(251);
  expect(cardTexts[0]).toMatch(/^Zz chest.*Best match/);
  expect(cardTexts.filter((card) => /^zz chest/i.test(card))).toHaveLength(1);
});

test('the template that the reader chose last for this kind of study is selected', async () => {
  serving(undefined, undefined, factsWith('t2'));
  showPicker(editorWith('<p></p>'));

  expect(await screen.findByRole('region', { name: 'Preview of MR knee' })).toBeDefined();
});
