import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { showPassage, showRestOfPassage } from './passage-visibility.ts';

const id = '0197c0de-0000-7000-8000-0000000000aa';
const ins = (words: string) => `<p><ins data-ai-passage="${id}">${words}</ins></p>`;

/** Reports words at position 0 with a height of 100 pixels, on a screen with the given top and bottom. */
const onScreen = (target: Element, top: number, bottom: number) => ({
  target,
  isIntersecting: bottom > top,
  boundingClientRect: new DOMRect(0, 0, 10, 100),
  intersectionRect: new DOMRect(0, top, 10, bottom - top),
});

/** Opens a text. Only the words that the test reports are on screen. */
const open = (content: string) => {
  let notify: (entries: ReturnType<typeof onScreen>[]) => void = () => {};
  const watched = new Set<Element>();
  class Observer {
    constructor(callback: typeof notify) {
      notify = callback;
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
    if (element) notify([onScreen(element, top, bottom)]);
  };
  const last = () => [(scrolled.mock.contexts.at(-1) as Element)?.textContent, scrolled.mock.calls.at(-1)?.[0]];
  return { editor, show, last };
};

test('a passage counts as not shown until its unseen part has scrolled into view', () => {
  const { editor, show, last } = open(`${ins('one')}<p>mine</p>${ins('two')}`);
  show('one', 0, 100);

  expect(showRestOfPassage(editor, id)).toBe(true);
  expect(last()).toEqual(['two', { block: 'start' }]);
  show('two', 0, 100);

  expect(showRestOfPassage(editor, id)).toBe(false);
});

test('a passage taller than the screen counts as shown after both of its ends were visible', () => {
  const { editor, show, last } = open(ins('long'));
  show('long', 0, 60);

  expect(showRestOfPassage(editor, id)).toBe(true);
  expect(last()).toEqual(['long', { block: 'end' }]);
  show('long', 50, 100);

  expect(showRestOfPassage(editor, id)).toBe(false);
});

test('a passage outside the screen counts as not shown', () => {
  const { editor, show } = open(ins('one'));

  show('one', 0, 0);

  expect(showRestOfPassage(editor, id)).toBe(true);
});

test('words inserted later must also be visible before their passage counts as shown', () => {
  const { editor, show } = open('<p>mine</p>');
  editor.commands.insertContentAt(0, ins('late'));
  expect(showRestOfPassage(editor, id)).toBe(true);

  show('late', 0, 100);

  expect(showRestOfPassage(editor, id)).toBe(false);
});

test('scrolling to a passage shows its beginning', () => {
  const { editor, last } = open(`<p>mine</p>${ins('one')}${ins('two')}`);

  showPassage(editor, id);

  expect(last()).toEqual(['one', { block: 'start' }]);
});
