import type { StackViewport } from '@cornerstonejs/core';
import { expect, test, vi } from 'vitest';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { tools } from '#reading/viewer/engine/tools/tools.ts';
import { barShortcuts, stackShortcuts } from './keyboard.ts';
import { pointerKey } from './use-key-pointer.ts';
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

/** The commands of the study have two keys each, the first of which is the same in every viewer (decision 0091). */
const firstKeyOfStudy = 'q';

test('no key has two actions', () => {
  const all = { ...hands, presets: nine, onPicture: nothing, onReport: nothing };
  const keys = [
    pointerKey,
    firstKeyOfStudy,
    ...[...stackShortcuts(stack), ...barShortcuts(all)].map((one) => one.keys),
  ];

  expect(keys.length).toBe(new Set(keys).size);
  expect(keys).toEqual(
    expect.arrayContaining(['ArrowDown', 'PageUp', 'Home', 'w', 'l', '1', '9', 'r', 'i', '?', 'Escape']),
  );
});

const imageAt = (at: number, place: number) => ({
  imageId: `${at} ${place}`,
  header: {},
  frame: 1,
  numberOfFrames: 1,
  instanceNumber: place + 1,
  plane: undefined,
  phase: { at, count: 2, place, places: 3, isTime: true, isUnnamed: false, facts: {} },
});

test('Shift and an arrow key step through the phases at one place, but only in a series with phases', () => {
  const moves: number[] = [];
  const viewport = { getTargetImageIdIndex: () => 1, scroll: (by: number) => moves.push(by) };
  const images = [0, 1].flatMap((phase) => [0, 1, 2].map((place) => imageAt(phase, place)));
  const view = { images, viewport: viewport as unknown as StackViewport };
  const keysOf = (shownView: View | undefined) => stackShortcuts({ ...stack, view: shownView });

  keysOf(view)
    .find(({ keys }) => keys === 'Shift+ArrowDown')
    ?.run();

  expect(moves).toEqual([3]);
  const isPhase = ({ does }: { does: string }) => does.includes('phase');
  expect(keysOf(view).filter(isPhase)).toHaveLength(2);
  expect(keysOf({ ...view, images: images.map((image) => ({ ...image, phase: undefined })) }).some(isPhase)).toBe(
    false,
  );
});

test('a letter key activates its tool', () => {
  const chosen: string[] = [];
  const shortcuts = barShortcuts({ ...hands, onTool: (tool) => chosen.push(tool) });

  for (const key of ['w', 'l']) shortcuts.find(({ keys }) => keys === key)?.run();

  expect(chosen).toEqual(['WindowLevel', 'Length']);
});

test('a digit key chooses the window preset of that position', () => {
  const presetNames: string[] = [];
  const onPreset = ({ label }: { label: string }) => presetNames.push(label);

  barShortcuts({ ...hands, presets: nine, onPreset })
    .find(({ keys }) => keys === '3')
    ?.run();

  expect(presetNames).toEqual(['Window 3']);
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
