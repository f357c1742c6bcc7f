import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { goToUnseenPart, isOnlyLook, lookAtParts, unseenPartsOf } from './filled-parts.ts';

const filled =
  '<p>A <span data-filled="clinical history">Cough</span> b</p><p><span data-filled="dose">5 mGy</span></p>';

const open = () => {
  const element = document.createElement('div');
  document.body.append(element);
  const editor = new Editor({ element, extensions: reportExtensions(() => {}), content: filled, injectCSS: false });
  onTestFinished(() => {
    editor.destroy();
    element.remove();
  });
  return editor;
};

const labels = (editor: Editor) => unseenPartsOf(editor.state.doc).map(({ label }) => label);

test('filled parts are described until the cursor enters them, and no change of the text is reported', () => {
  const editor = open();
  const changes: boolean[] = [];
  editor.on('update', ({ transaction }) => changes.push(isOnlyLook(transaction)));
  const described = editor.view.dom.querySelector('[aria-description]')?.getAttribute('aria-description');

  editor.commands.setTextSelection(5);

  expect(described).toBe('Filled in: clinical history. Not looked at yet.');
  expect(labels(editor)).toEqual(['dose']);
  expect(changes).toEqual([true]);
  expect(editor.can().undo()).toBe(false);
  expect(editor.getHTML()).toContain('<p>A Cough b</p>');
});

test('selecting the whole text does not count as looking at its parts', () => {
  const editor = open();

  editor.commands.selectAll();

  expect(labels(editor)).toEqual(['clinical history', 'dose']);
});

test('going from part to part looks at each, and confirming looks at the others', () => {
  const editor = open();

  goToUnseenPart(editor);
  const afterFirst = labels(editor);
  lookAtParts(editor, unseenPartsOf(editor.state.doc));

  expect(afterFirst).toEqual(['dose']);
  expect(labels(editor)).toEqual([]);
  expect(goToUnseenPart(editor)).toBe(false);
});
