import { WindowLevelTool, type Types } from '@cornerstonejs/tools';
import type { GreyRange } from '#viewer/images/grey-window.ts';

type Drag = GreyRange & {
  viewport: unknown;
  volumeId?: string;
  deltaPointsCanvas: readonly [across: number, down: number];
};

type WindowTool = {
  /** How many numbers of the picture a pixel of the screen is worth: of a picture of fractions a share of one. */
  _getMultiplierFromDynamicRange: (viewport: unknown, volumeId?: string) => number;
  getNewRange: (drag: Drag) => GreyRange;
};

/** So many numbers a pixel of the screen is worth where all of a picture are the same. */
const usualStep = 4;

/**
 * Has a drag change the window by what it is long, and by nothing else. The library (5.14.0) reads the range of a window by
 * one formula and writes it by that of the image: where that is LINEAR_EXACT (PS3.3 §C.11.2.1.3.2) each step of the mouse
 * made it wider by 1 as well. Of a map of diffusion, from 0 to 0.003, the first one left black.
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
