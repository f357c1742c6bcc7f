import type { Reply } from '@radwork/contract/core/endpoint';
import { reports } from '@radwork/contract/reading/reports';
import { type ExamFacts, globalTemplates, templateFacts, templates } from '@radwork/contract/reading/templates';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import type { Editor } from '@tiptap/core';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { query } from '#core/http/api.ts';
import { insertDictated } from '#reading/editor/dictation/dictation-insert.ts';
import { noteDictation } from '#reading/editor/dictation/running-dictation.ts';
import { insertIntoFindings } from '#reading/editor/extensions/caret-place.ts';
import { answer, type SentRequest, serve, show } from '#test/screen.tsx';
import { chestCt, globalFor, pageOfTemplates, templateFor } from '#test/templates.ts';
import { leaveUnsaved } from '#test/unsaved-texts.ts';
import { editorIn, jane, reportFor } from '#test/written-report.ts';
import { ReportWorkspace } from './report-workspace.tsx';

const chest = templateFor();

type Facts = Reply<typeof templateFacts.ofStudy>;

const serving = (
  exam: ExamFacts,
  more: Partial<Facts> = {},
  facts: (known: Facts) => Facts | Promise<Facts> = (known) => known,
  own = chest,
) =>
  serve(
    answer(reports.ofStudy, () => ({ report: null, patient: jane, canCreate: true, reasons: [], readingBy: null })),
    answer(reports.create, () => reportFor()),
    answer(templateFacts.ofStudy, () =>
      facts({
        patientRecordId: jane.id,
        values: { 'patient.name': 'Doe, Jane' },
        exam,
        chosenTemplateId: null,
        ...more,
      }),
    ),
    answer(templates.list, () => pageOfTemplates([own])),
    answer(templates.get, () => own),
    answer(globalTemplates.list, () => [globalFor({ name: 'CT head', bodyPart: 'HEAD' })]),
  );

const showWorkspace = () => {
  const routeTree = createRootRoute({
    staticData: { can: 'public' },
    component: () => <ReportWorkspace studyId="s1" />,
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  return show(<RouterProvider router={router as never} />);
};

/** Requests that store a text or note a use of a template. */
const stored = (calls: SentRequest[]) =>
  calls.filter(
    ({ method, body, url }) =>
      Object.hasOwn(body ?? {}, 'content') || (method === 'POST' && !url.pathname.endsWith('/check')),
  );

/** Returns the editor with the template. On a busy machine, the editor may open before the template arrives. */
const editorWithTemplate = () =>
  waitFor(
    async () => {
      const editor = await editorIn();
      expect(editor.getText()).toContain('Lungs: [lungs]');
      return editor;
    },
    { timeout: 10_000 },
  );

test('"Create report" lays out the best template with its filled parts marked, and stores nothing before the reader acts', async () => {
  const calls = serving(chestCt);
  showWorkspace();
  const create = await screen.findByRole('button', { name: 'Create report' });
  expect(calls.filter(({ url }) => url.pathname.includes('template'))).toEqual([]);

  await userEvent.click(create);

  const editor = await editorWithTemplate();
  expect(editor.getText()).toMatch(/Technique\s+CT for Doe, Jane\.\s+Findings\s+Lungs: \[lungs\]/);
  expect(editor.getHTML()).toContain('<span data-filled="patient name">Doe, Jane</span>');
  expect(await screen.findByText('From template. Nothing is saved yet.')).toBeDefined();
  expect(stored(calls)).toEqual([]);
});

test('a report from a template begins at its first unfilled field', async () => {
  serving(chestCt);
  showWorkspace();

  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));

  const editor = await editorWithTemplate();
  const { from, to } = editor.state.selection;
  expect(editor.state.doc.textBetween(from, to)).toBe('[lungs]');
  await waitFor(() => expect(document.activeElement).toBe(editor.view.dom), { timeout: 10_000 });
});

test('a template that arrives after the editor has opened takes the focus at its first unfilled field', async () => {
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
  serving(chestCt, {}, async (known) => {
    await arrives;
    return known;
  });
  showWorkspace();
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  const empty = await editorIn();
  await waitFor(() => expect(document.activeElement).toBe(empty.view.dom), { timeout: 10_000 });

  arrive();

  const editor = await editorWithTemplate();
  await waitFor(() => expect(document.activeElement).toBe(editor.view.dom), { timeout: 10_000 });
});

/** Opens the empty editor before the template arrives. */
const openEarly = async () => {
  const { promise: arrives, resolve: arrive } = Promise.withResolvers<void>();
  serving(chestCt, {}, async (known) => {
    await arrives;
    return known;
  });
  const { client } = showWorkspace();
  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));
  const editor = await editorIn();
  return {
    editor,
    letTemplateArrive: async () => {
      arrive();
      await waitFor(() => expect(client.getQueryState(templateKey)?.status).toBe('success'));
      // Renders what has arrived.
      await act(async () => {});
    },
  };
};

/** The last request that the template needs. */
const templateKey = query(templates.get, { params: { id: chest.id } }).queryKey;

test.each<[string, (editor: Editor) => void, string]>([
  ['typed', (editor) => void editor.commands.insertContent('Cough.'), 'Cough.'],
  ['dictated', (editor) => void insertDictated(editor, 'no effusion', 'en-US'), 'No effusion.'],
  [
    'inserted a figure',
    (editor) => void insertIntoFindings(editor, '<p>Figure</p><p>Caption</p>'),
    'Figure\n\nCaption',
  ],
  [
    'typed and deleted all again',
    (editor) => void (editor.commands.insertContent('x') && editor.commands.clearContent(true)),
    '',
  ],
])('a late template replaces nothing once the reader has %s', async (_, write, expected) => {
  const { editor, letTemplateArrive } = await openEarly();
  write(editor);

  await letTemplateArrive();

  expect((await editorIn()).getText()).toBe(expected);
  expect(editor.isDestroyed).toBe(false);
});

test('a late template waits for the end of a dictation, and is laid out if nothing was said', async () => {
  const { editor, letTemplateArrive } = await openEarly();
  act(() => noteDictation('s1', true));

  await letTemplateArrive();

  expect(editor.isDestroyed).toBe(false);
  act(() => noteDictation('s1', false));
  await editorWithTemplate();
});

const unknown: ExamFacts = { modality: 'CT', modalities: ['CT'], description: '', bodyParts: [] };

test('no template is laid out for an examination without body part and description', async () => {
  serving(unknown);
  showWorkspace();

  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));

  expect((await editorIn()).getText()).toBe('');
});

test('a template of another body part is not laid out, although the reader chose it last', async () => {
  serving({ ...chestCt, bodyParts: ['KNEE'], description: 'CT knee' }, { chosenTemplateId: chest.id });
  showWorkspace();

  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));

  expect((await editorIn()).getText()).toBe('');
});

test('a template without a body part that the reader chose last is laid out even without body part and description', async () => {
  const general = { ...chest, bodyPart: '' };
  serving(unknown, { chosenTemplateId: chest.id }, undefined, general);
  showWorkspace();

  await userEvent.click(await screen.findByRole('button', { name: 'Create report' }));

  expect((await editorWithTemplate()).getText()).toContain('CT for Doe, Jane.');
});

test('an unsaved text opens without waiting for a template', async () => {
  leaveUnsaved('report-of-study.s1.left', {
    content: '<p>Half a sentence</p>',
    hasCriticalFindings: false,
    criticalFindingsDetails: '',
    reportId: null,
    revision: null,
    patient: jane,
    keptId: null,
    sentId: null,
    at: '2026-11-30T10:00:00Z',
  });
  const calls = serving(chestCt, {}, () => new Promise(() => {}));
  showWorkspace();

  expect((await editorIn()).getText()).toBe('Half a sentence');
  expect(calls.filter(({ url }) => url.pathname.startsWith('/api/templates'))).toEqual([]);
});
