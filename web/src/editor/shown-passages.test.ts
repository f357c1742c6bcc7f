import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from './editor-extensions.ts';
import { showPassage, showRestOfPassage } from './shown-passages.ts';

const id = '0197c0de-0000-7000-8000-0000000000aa';
const ins = (words: string) => `<p><ins data-ai-passage="${id}">${words}</ins></p>`;

/** Words that are a hundred pixels high stand at 0; the screen begins and ends at the given places. */
const onScreen = (target: Element, top: number, bottom: number) => ({
  target,
  isIntersecting: bottom > top,
  boundingClientRect: new DOMRect(0, 0, 10, 100),
  intersectionRect: new DOMRect(0, top, 10, bottom - top),
});

/** A text of which nothing is on the screen but what the test says. */
const open = (content: string) => {
  let tell: (entries: ReturnType<typeof onScreen>[]) => void = () => {};
  const watched = new Set<Element>();
  class Observer {
    constructor(told: typeof tell) {
      tell = told;
    }
    observe(words: Element) {
      watched.add(words);
    }
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView');
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => {
    editor.destroy();
    vi.unstubAllGlobals();
    scrolled.mockRestore();
  });
  const show = (words: string, top: number, bottom: number) => {
    const element = [...watched].find(({ textContent }) => textContent === words);
    if (element) tell([onScreen(element, top, bottom)]);
  };
  const last = () => [(scrolled.mock.contexts.at(-1) as Element)?.textContent, scrolled.mock.calls.at(-1)?.[0]];
  return { editor, show, last };
};

test('what of a passage was not on the screen is brought there, and until then the passage was not shown', () => {
  const { editor, show, last } = open(`${ins('one')}<p>mine</p>${ins('two')}`);
  show('one', 0, 100);

  expect(showRestOfPassage(editor, id)).toBe(true);
  expect(last()).toEqual(['two', { block: 'start' }]);
  show('two', 0, 100);

  expect(showRestOfPassage(editor, id)).toBe(false);
});

test('words that are taller than the screen were shown when both of their ends were', () => {
  const { editor, show, last } = open(ins('long'));
  show('long', 0, 60);

  expect(showRestOfPassage(editor, id)).toBe(true);
  expect(last()).toEqual(['long', { block: 'end' }]);
  show('long', 50, 100);

  expect(showRestOfPassage(editor, id)).toBe(false);
});

test('words that are outside of the screen were not shown', () => {
  const { editor, show } = open(ins('one'));

  show('one', 0, 0);

  expect(showRestOfPassage(editor, id)).toBe(true);
});

test('words that come later are watched, too', () => {
  const { editor, show } = open('<p>mine</p>');
  editor.commands.insertContentAt(0, ins('late'));
  expect(showRestOfPassage(editor, id)).toBe(true);

  show('late', 0, 100);

  expect(showRestOfPassage(editor, id)).toBe(false);
});

test('a passage is led to by its beginning', () => {
  const { editor, last } = open(`<p>mine</p>${ins('one')}${ins('two')}`);

  showPassage(editor, id);

  expect(last()).toEqual(['one', { block: 'start' }]);
});
