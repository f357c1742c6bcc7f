import { AngleTool, LengthTool, StackScrollTool, ZoomTool } from '@cornerstonejs/tools';
import { expect, test, vi } from 'vitest';
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
