import { WindowLevelTool, type Types } from '@cornerstonejs/tools';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';

type Drag = GrayRange & {
  viewport: unknown;
  volumeId?: string;
  deltaPointsCanvas: readonly [across: number, down: number];
};

type WindowTool = {
  /** Returns the change of value per pixel of a drag. It is below 1 for images with fractional values. */
  _getMultiplierFromDynamicRange: (viewport: unknown, volumeId?: string) => number;
  getNewRange: (drag: Drag) => GrayRange;
};

/** Change of value per pixel of a drag if all pixels are equal. */
const usualStep = 4;

/**
 * Changes a window exactly by the length of the drag. The imaging library (5.14.0) reads and writes the window with two
 * different formulas. With LINEAR_EXACT (PS3.3 §C.11.2.1.3.2), each mouse step then widened the window by 1. A
 * diffusion map with values from 0 to 0.003 became black at the first step.
 */
export const dragWindowsExactly = (group: Types.IToolGroup) => {
  const tool: WindowTool = group.getToolInstance(WindowLevelTool.toolName);
  tool.getNewRange = ({ viewport, volumeId, lower, upper, deltaPointsCanvas: [across, down] }) => {
    const step = tool._getMultiplierFromDynamicRange(viewport, volumeId) || usualStep;
    const width = Math.max(step / usualStep, upper - lower + across * step);
    const center = (lower + upper) / 2 + down * step;
    return { lower: center - width / 2, upper: center + width / 2 };
  };
};
