import { expect, test } from 'vitest';
import { tools } from '#reading/viewer/engine/tools/tools.ts';
import { barShortcuts, stackShortcuts } from '#reading/viewer/shell/keyboard.ts';
import { viewActions } from '#reading/viewer/shell/view-actions.ts';
import { cineShortcuts, nextSpeed, speeds } from './cine-keys.ts';

const nothing = () => {};

test('keys change the speed step by step, also from an intermediate value, and stop at both limits', () => {
  expect(nextSpeed(1, 1)).toBe(1.5);
  expect(nextSpeed(1, -1)).toBe(0.75);
  expect(nextSpeed(1.2, 1)).toBe(1.5);
  expect(nextSpeed(1.2, -1)).toBe(1);
  expect(nextSpeed(4, 1)).toBe(4);
  expect(nextSpeed(0.25, -1)).toBe(0.25);
  expect([speeds[0], speeds.at(-1)]).toEqual([0.25, 4]);
});

test('no shortcut for playback has another action in the viewer', () => {
  const cinePlayback = cineShortcuts({ player: undefined, onPlay: nothing, onSpeed: nothing, onSwing: nothing });
  const actions = viewActions.map((action) => ({ ...action, run: nothing }));
  const others = [
    ...barShortcuts({
      offered: tools,
      onTool: nothing,
      presets: Array.from({ length: 9 }, () => ({ label: '', range: { lower: 0, upper: 1 } })),
      onPreset: nothing,
      actions,
      onReport: nothing,
      onMeasurements: nothing,
      onUndo: nothing,
      onFullScreen: nothing,
      onHelp: nothing,
    }),
    ...stackShortcuts({ view: undefined, onStep: nothing, stepsThrough: 'clip', onNextLayout: nothing }),
  ];

  const keys = [...cinePlayback, ...others].map((shortcut) => shortcut.keys);

  expect(keys.length).toBe(new Set(keys).size);
});
