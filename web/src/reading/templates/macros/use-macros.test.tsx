import { type Macro, macros } from '@radwork/contract/reading/macros';
import { templateFacts } from '@radwork/contract/reading/templates';
import { RichTextEditor } from '@mantine/tiptap';
import { useQueryClient } from '@tanstack/react-query';
import { Editor } from '@tiptap/react';
import { waitFor } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { createRefresher, type Refresher } from '#core/live/live-refresh.ts';
import { insertMacroByName } from '#reading/editor/dictation/dictation-macros.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { macrosOf } from '#reading/editor/extensions/macros.ts';
import { answer, serve, show } from '#test/screen.tsx';
import { chestCt } from '#test/templates.ts';
import { TemplatesTool } from '#reading/templates/picker/templates-tool.tsx';

const macro = (overrides: Partial<Macro>): Macro => ({
  id: 'm1',
  abbreviation: 'cmp',
  name: 'Comparison',
  text: 'Compared with {{comparison.date}}, {{order.number}}.',
  isShared: false,
  revision: 1,
  updatedBy: 'x',
  updatedAt: '2026-11-20T10:00:00Z',
  ...overrides,
});

/** Refreshes queries on server events, as the application does. */
let refresher: Refresher | undefined;
function Listening() {
  const client = useQueryClient();
  useEffect(() => {
    refresher = createRefresher(client);
    return refresher.stop;
  }, [client]);
  return null;
}

const editorWith = (known: Macro[], factsNow = (): Record<string, string> => ({ 'comparison.date': '2026-02-03' })) => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content: '<p></p>', injectCSS: false });
  onTestFinished(() => editor.destroy());
  serve(
    answer(macros.list, () => known),
    answer(templateFacts.ofStudy, () => ({
      chosenTemplateId: null,
      patientRecordId: 'jane',
      values: factsNow(),
      exam: chestCt,
    })),
  );
  show(
    <RichTextEditor editor={editor}>
      <TemplatesTool editor={editor} studyId="s1" />
      <Listening />
    </RichTextEditor>,
  );
  return editor;
};

test('an inserted macro contains study data, and missing data becomes a field', async () => {
  const editor = editorWith([macro({})]);

  await waitFor(() => expect(macrosOf(editor)[0]?.text).toBe('Compared with 2026-02-03, [order number].'));
});

test('corrected patient data reaches the macros of a report that is already open', async () => {
  let born = '1968-03-14';
  const editor = editorWith([macro({ text: 'Born {{patient.birthDate}}.' })], () => ({ 'patient.birthDate': born }));
  await waitFor(() => expect(macrosOf(editor)[0]?.text).toBe('Born 1968-03-14.'));

  born = '1986-03-14';
  refresher?.hear({ kind: 'patient', patientId: 'jane' });

  await waitFor(() => expect(macrosOf(editor)[0]?.text).toBe('Born 1986-03-14.'));
});

test('a private macro replaces the shared macro with the same abbreviation and has a note', async () => {
  const editor = editorWith([macro({}), macro({ id: 'm2', abbreviation: 'CMP', isShared: true, text: 'Shared.' })]);

  await waitFor(() => expect(macrosOf(editor)).toHaveLength(1));
  expect(macrosOf(editor)[0]).toMatchObject({ abbreviation: 'cmp', note: 'Yours, overrides the shared macro' });
});

test('a user can insert a macro by its name', async () => {
  const editor = editorWith([macro({ text: 'Done.' })]);
  await waitFor(() => expect(macrosOf(editor)).toHaveLength(1));

  const isIn = insertMacroByName(editor, 'comparison');

  expect(isIn).toBe(true);
  expect(editor.getText()).toBe('Done.');
});
