import { expect, test, vi } from 'vitest';
import { viewerShortcuts } from './keyboard.ts';
import type { ShownImage } from './shown-image.ts';

const hands = {
  view: undefined,
  shown: undefined,
  onTool: () => {},
  onSeries: () => {},
  onLayout: () => {},
  onFullScreen: () => {},
  onHelp: () => {},
};

const nine = Array.from({ length: 9 }, (_, n) => ({ label: `Window ${n + 1}`, range: { lower: 0, upper: n } }));

test('no key does two things', () => {
  const shown = { presets: nine } as unknown as ShownImage;

  const keys = viewerShortcuts({ ...hands, shown }).map((shortcut) => shortcut.keys);

  expect(keys.length).toBe(new Set(keys).size);
  expect(keys).toEqual(
    expect.arrayContaining(['ArrowDown', 'PageUp', 'Home', 'w', 'l', '1', '9', 'r', 'i', '?', 'Escape']),
  );
});

test('a letter takes up its tool', () => {
  const taken: string[] = [];
  const shortcuts = viewerShortcuts({ ...hands, onTool: (tool) => taken.push(tool) });

  for (const key of ['w', 'l']) shortcuts.find(({ keys }) => keys === key)?.run();

  expect(taken).toEqual(['WindowLevel', 'Length']);
});

test('keys are harmless while nothing is shown', () => {
  expect(() => viewerShortcuts(hands).forEach(({ run }) => run())).not.toThrow();
});

test('the report has a key where there is one to show', () => {
  const onReport = vi.fn<() => void>();

  const shortcut = viewerShortcuts({ ...hands, onReport }).find(({ keys }) => keys === 'n');
  shortcut?.run();

  expect(onReport).toHaveBeenCalledOnce();
  expect(viewerShortcuts(hands).some(({ keys }) => keys === 'n')).toBe(false);
});
