import { t } from '@lingui/core/macro';
import { LengthTool, ProbeTool, StackScrollTool, WindowLevelTool } from '@cornerstonejs/tools';
import { type OfferedTool, type ToolName, tools } from '#reading/viewer/engine/tools/tools.ts';

/** Labels of tools that act differently in this viewer. */
const labels: Record<ToolName, string> = {
  [LengthTool.toolName]: t`Length (time on Doppler)`,
  [ProbeTool.toolName]: t`Velocity at a point`,
};

/** Tools to offer. The window tool is missing, because colors in ultrasound images carry a meaning. */
export const offered: readonly OfferedTool[] = tools
  .filter(({ name }) => name !== WindowLevelTool.toolName)
  .map((tool) => ({ ...tool, label: labels[tool.name] ?? tool.label }));

/** Tool that is active when a study opens, for mouse and touch. */
export const firstTool: ToolName = StackScrollTool.toolName;
