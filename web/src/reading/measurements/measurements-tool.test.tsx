import { measurements } from '@radwork/contract/reading/measurements';
import { RichTextEditor } from '@mantine/tiptap';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { MeasurementsTool } from './measurements-tool.tsx';

const insertFrom = async (reply: Parameters<typeof serve>[number]) => {
  serve(reply);
  const editor = new Editor({ extensions: reportExtensions(() => {}), content: '<p>Text</p>', injectCSS: false });
  onTestFinished(() => editor.destroy());
  show(
    <RichTextEditor editor={editor}>
      <MeasurementsTool editor={editor} studyId="s1" />
    </RichTextEditor>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Insert measurements' }));
  return editor;
};

test('inserting measurements shows a message and keeps the text if the study has no measurements', async () => {
  const editor = await insertFrom(answer(measurements.ofStudy, () => []));

  await screen.findByText('This study has no measurements');
  expect(editor.getText()).toBe('Text');
});

test('a failed request for measurements shows its message and can be repeated', async () => {
  const editor = await insertFrom(refuse(measurements.ofStudy, 503, 'The database is away'));

  await screen.findByText('The database is away');
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Insert measurements' }).disabled).toBe(false);
  expect(editor.getText()).toBe('Text');
});
