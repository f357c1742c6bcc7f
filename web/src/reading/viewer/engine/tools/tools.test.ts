import { AngleTool, LabelTool, LengthTool, StackScrollTool, WindowLevelTool, ZoomTool } from '@cornerstonejs/tools';
import { expect, test, vi } from 'vitest';
import { textQuestion } from '#reading/viewer/measuring/annotation-text-question.ts';
import { hangingTools } from '@radwork/contract/reading/hanging-rules';
import { toolLabels } from '#reading/viewer/hanging-rules/rule-texts.ts';
import { activateOnly, activateTool, makeTools, registerTools, toolAfterHanging, tools } from './tools.ts';

test('a rule can name each tool of the viewer, by the name of the toolbar', () => {
  const named = hangingTools.map((tool) => [toolAfterHanging(tool, false), toolLabels[tool]]);

  expect(named).toEqual(tools.map(({ name, label }) => [name, label]));
});

test('a finger scrolls first, also if the rule names another tool, and a mouse sets the window without a rule', () => {
  expect(toolAfterHanging('length', true)).toBe(StackScrollTool.toolName);
  expect(toolAfterHanging(undefined, false)).toBe(WindowLevelTool.toolName);
  expect(toolAfterHanging(null, false)).toBe(WindowLevelTool.toolName);
});

test('tools that do not draw hide measurements, because they belong to other images', () => {
  registerTools();
  const group = makeTools('tools of a test');
  activateTool(group, LengthTool.toolName);

  activateOnly(group, ZoomTool.toolName);

  expect(group.getToolInstance(LengthTool.toolName).mode).toBe('Disabled');
  expect(group.getActivePrimaryMouseButtonTool()).toBe(ZoomTool.toolName);
});

test('measurements cannot be moved by touch unless a drawing tool is active', () => {
  const matchMediaSpy = vi.spyOn(window, 'matchMedia');
  const group = makeTools('tools of a finger');
  matchMediaSpy.mockImplementation((media) => ({ media, matches: media === '(pointer: coarse)' }) as MediaQueryList);

  const modes = [StackScrollTool, AngleTool].map(({ toolName }) => {
    activateTool(group, toolName);
    return group.getToolInstance(LengthTool.toolName).mode;
  });

  expect(modes).toEqual(['Enabled', 'Passive']);
  matchMediaSpy.mockRestore();
});

test('a text annotation is complete once its words are entered, and a later cancel keeps it', async () => {
  const group = makeTools('tools of a text');
  const text = group.getToolInstance(LabelTool.toolName);
  Object.assign(text, { isDrawing: true, editData: { annotation: { data: { handles: {} } }, newAnnotation: true } });
  const enteredText = new Promise((resolve) => text.configuration.getTextCallback(resolve));

  textQuestion.now()?.answer('Compare with May');

  expect(await enteredText).toBe('Compare with May');
  expect(text.isDrawing).toBe(false);
});

test.each([
  ['LINEAR', [0, 0.003], [-0.000_015, 0.003_015]],
  ['LINEAR_EXACT', [0, 0.003], [-0.000_015, 0.003_015]],
  ['LINEAR', [-1024, 3071], [-1044, 3091]],
  ['LINEAR_EXACT', [-1024, 3071], [-1044, 3091]],
])('dragging changes a %s window over the values %j only by the drag distance', (voiLutFunction, numbers, expected) => {
  const [lower, upper] = numbers;
  const tool = makeTools(`windows of ${voiLutFunction} ${lower}`).getToolInstance(WindowLevelTool.toolName);
  const viewport = { getImageData: () => ({ voxelManager: { getRange: () => numbers } }) };

  const range = tool.getNewRange({ viewport, deltaPointsCanvas: [10, 0], lower, upper, voiLutFunction });

  expect(range.lower).toBeCloseTo(expected[0] ?? 0, 5);
  expect(range.upper).toBeCloseTo(expected[1] ?? 0, 5);
});
