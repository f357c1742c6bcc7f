import { type Editor, Extension } from '@tiptap/core';
import { passageAttribute } from '@radwork/contract/reading/drafting';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';

/** Whether the start and the end of the words have been on screen. */
type SeenEnds = { start: boolean; end: boolean };

type Watch = { observer: IntersectionObserver; seen: WeakMap<Element, SeenEnds> };

const watches = new WeakMap<EditorView, Watch>();

/** Observes every 1 % of the words, because they may be taller than the screen. */
const steps = Array.from({ length: 101 }, (_, step) => step / 100);
/** Tolerance for rounded line edges, in pixels. */
const rounding = 2;

const startWatch = (): Watch => {
  const seenPassages = new WeakMap<Element, SeenEnds>();
  const look = ({ target, isIntersecting, boundingClientRect: box, intersectionRect: part }: Entry) => {
    if (!isIntersecting) return;
    const before = seenPassages.get(target);
    seenPassages.set(target, {
      start: before?.start || part.top <= box.top + rounding,
      end: before?.end || part.bottom >= box.bottom - rounding,
    });
  };
  return {
    seen: seenPassages,
    observer: new IntersectionObserver((entries) => entries.forEach(look), { threshold: steps }),
  };
};

type Entry = Pick<IntersectionObserverEntry, 'target' | 'isIntersecting' | 'boundingClientRect' | 'intersectionRect'>;

const wordsIn = (view: EditorView, id?: string) =>
  view.dom.querySelectorAll<HTMLElement>(id === undefined ? `[${passageAttribute}]` : `[${passageAttribute}="${id}"]`);

/**
 * Records which words of open passages have been on screen. Words rendered again, after a change or a reload, count as
 * not shown.
 */
export const ShownPassages = Extension.create({
  name: 'shownPassages',
  addProseMirrorPlugins: () => [
    new Plugin({
      view: (view) => {
        const watch = startWatch();
        watches.set(view, watch);
        const update = () => wordsIn(view).forEach((words) => watch.observer.observe(words));
        update();
        return { update, destroy: () => watch.observer.disconnect() };
      },
    }),
  ],
});

/** Scrolls to the start of a passage. */
export const showPassage = ({ view }: Editor, id: string): void =>
  wordsIn(view, id)[0]?.scrollIntoView({ block: 'start' });

/**
 * Scrolls to the part of a passage that was not on screen yet.
 * @returns Whether there was such a part. If so, the passage must not be accepted, because the user has not read it
 * (D-24).
 */
export const showRestOfPassage = ({ view }: Editor, id: string): boolean => {
  const seenPassages = watches.get(view)?.seen;
  for (const words of wordsIn(view, id)) {
    const ends = seenPassages?.get(words);
    if (ends?.start && ends.end) continue;
    words.scrollIntoView({ block: ends?.start ? 'end' : 'start' });
    return true;
  }
  return false;
};
