import { expect, test, vi } from 'vitest';
import { tools } from '#reading/viewer/engine/tools/tools.ts';
import { barShortcuts, stackShortcuts } from './keyboard.ts';
import { viewActions } from './view-actions.ts';

const nothing = () => {};

const hands = {
  offered: tools,
  onTool: nothing,
  presets: [],
  onPreset: nothing,
  actions: viewActions.map((action) => ({ ...action, run: nothing })),
  onFullScreen: nothing,
  onHelp: nothing,
  onMeasurements: nothing,
  onUndo: nothing,
};

const stack = { view: undefined, onStep: nothing, stepsThrough: 'series' as const, onNextLayout: nothing };

const nine = Array.from({ length: 9 }, (_, n) => ({ label: `Window ${n + 1}`, range: { lower: 0, upper: n } }));

test('no key has two actions', () => {
  const all = { ...hands, presets: nine, onPicture: nothing, onReport: nothing };
  const keys = [...stackShortcuts(stack), ...barShortcuts(all)].map((one) => one.keys);

  expect(keys.length).toBe(new Set(keys).size);
  expect(keys).toEqual(
    expect.arrayContaining(['ArrowDown', 'PageUp', 'Home', 'w', 'l', '1', '9', 'r', 'i', '?', 'Escape']),
  );
});

test('a letter key activates its tool', () => {
  const taken: string[] = [];
  const shortcuts = barShortcuts({ ...hands, onTool: (tool) => taken.push(tool) });

  for (const key of ['w', 'l']) shortcuts.find(({ keys }) => keys === key)?.run();

  expect(taken).toEqual(['WindowLevel', 'Length']);
});

test('a digit key chooses the window preset of that position', () => {
  const chosen: string[] = [];
  const onPreset = ({ label }: { label: string }) => chosen.push(label);

  barShortcuts({ ...hands, presets: nine, onPreset })
    .find(({ keys }) => keys === '3')
    ?.run();

  expect(chosen).toEqual(['Window 3']);
});

test('tool and preset keys do nothing while no image is shown', () => {
  expect(() => stackShortcuts(stack).forEach(({ run }) => run())).not.toThrow();
});

test('the report has a shortcut only if the study has a report', () => {
  const onReport = vi.fn<() => void>();

  const shortcut = barShortcuts({ ...hands, onReport }).find(({ keys }) => keys === 'n');
  shortcut?.run();

  expect(onReport).toHaveBeenCalledOnce();
  expect(barShortcuts(hands).some(({ keys }) => keys === 'n')).toBe(false);
});
