import { AngleTool, LabelTool, LengthTool, StackScrollTool, ZoomTool } from '@cornerstonejs/tools';
import { expect, test, vi } from 'vitest';
import { wordsQuestion } from '#viewer/measuring/words-question.ts';
import { makeTools, registerTools, takeOnly, takeTool } from './tools.ts';

test('beside a tool that only looks, nothing is drawn that would be read off another picture', () => {
  registerTools();
  const group = makeTools('tools of a test');
  takeTool(group, LengthTool.toolName);

  takeOnly(group, ZoomTool.toolName);

  expect(group.getToolInstance(LengthTool.toolName).mode).toBe('Disabled');
  expect(group.getActivePrimaryMouseButtonTool()).toBe(ZoomTool.toolName);
});

test('under a finger what is measured lies still, unless a tool that draws is in hand', () => {
  const asked = vi.spyOn(window, 'matchMedia');
  const group = makeTools('tools of a finger');
  asked.mockImplementation((media) => ({ media, matches: media === '(pointer: coarse)' }) as MediaQueryList);

  const modes = [StackScrollTool, AngleTool].map(({ toolName }) => {
    takeTool(group, toolName);
    return group.getToolInstance(LengthTool.toolName).mode;
  });

  expect(modes).toEqual(['Enabled', 'Passive']);
  asked.mockRestore();
});

test('a text is drawn to its end when its words are there: whoever gives drawing up then does not take it away', async () => {
  const group = makeTools('tools of a text');
  const text = group.getToolInstance(LabelTool.toolName);
  Object.assign(text, { isDrawing: true, editData: { annotation: { data: { handles: {} } }, newAnnotation: true } });
  const written = new Promise((resolve) => text.configuration.getTextCallback(resolve));

  wordsQuestion.now()?.answer('Compare with May');

  expect(await written).toBe('Compare with May');
  expect(text.isDrawing).toBe(false);
});
