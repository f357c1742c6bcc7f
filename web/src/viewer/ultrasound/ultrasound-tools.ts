import { LengthTool, ProbeTool, StackScrollTool, WindowLevelTool } from '@cornerstonejs/tools';
import { type OfferedTool, type ToolName, tools } from '#viewer/engine/tools.ts';

/** What some tools do here. */
const labels: Record<ToolName, string> = {
  [LengthTool.toolName]: 'Length, on Doppler time',
  [ProbeTool.toolName]: 'Velocity at a point',
};

/** The colours of an ultrasound image are a finding: nobody sets a window over them by the way. */
export const offered: readonly OfferedTool[] = tools
  .filter(({ name }) => name !== WindowLevelTool.toolName)
  .map((tool) => ({ ...tool, label: labels[tool.name] ?? tool.label }));

/** In hand when a study opens, for a mouse as for a finger. */
export const firstTool: ToolName = StackScrollTool.toolName;
