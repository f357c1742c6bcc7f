import { expect, test } from 'vitest';
import { tools } from '#reading/viewer/engine/tools/tools.ts';
import { barShortcuts, stackShortcuts } from '#reading/viewer/shell/keyboard.ts';
import { viewActions } from '#reading/viewer/shell/view-actions.ts';
import { paneShortcuts } from './pane-keys.ts';

const nothing = () => {};
const hands = {
  layout: '2x2' as const,
  current: 0,
  onLayout: nothing,
  onPane: nothing,
  onEnlarge: nothing,
  onAgain: nothing,
  onLinkScroll: nothing,
  onLinkLooks: nothing,
  onLines: nothing,
  onCompare: nothing,
  onTags: nothing,
  onKeyImage: nothing,
  onSegments: nothing,
};

const presets = Array.from({ length: 9 }, (_, n) => ({ label: `Window ${n + 1}`, range: { lower: 0, upper: n } }));
const viewer = [
  ...stackShortcuts({ view: undefined, onStep: nothing, stepsThrough: 'series', onNextLayout: nothing }),
  ...barShortcuts({
    offered: tools,
    onTool: nothing,
    presets,
    onPreset: nothing,
    actions: viewActions.map((action) => ({ ...action, run: nothing })),
    onFullScreen: nothing,
    onHelp: nothing,
    onReport: nothing,
    onMeasurements: nothing,
    onUndo: nothing,
  }),
];

test('no shortcut of a pane equals a shortcut of the viewer or begins a key sequence of the viewer', () => {
  const keys = paneShortcuts(hands).map((shortcut) => shortcut.keys);
  const usedKeys = viewer.map((shortcut) => shortcut.keys);

  expect(keys.length).toBe(new Set(keys).size);
  expect(keys.filter((key) => usedKeys.includes(key) || usedKeys.includes(key.split(' ')[0] ?? ''))).toEqual([]);
});

test('Alt and an arrow key move to the pane on that side; a comma and a digit choose a layout', () => {
  const panes: number[] = [];
  const layouts: string[] = [];
  const shortcuts = paneShortcuts({
    ...hands,
    onPane: (pane) => panes.push(pane),
    onLayout: (name) => layouts.push(name),
  });

  for (const keys of ['Alt+ArrowRight', 'Alt+ArrowDown', 'Alt+ArrowLeft', ', 6']) {
    shortcuts.find((shortcut) => shortcut.keys === keys)?.run();
  }

  expect(panes).toEqual([1, 2, 0]);
  expect(layouts).toEqual(['2x3']);
});
