import { utilities } from '@cornerstonejs/core';
import type { Types } from '@cornerstonejs/tools';
import type { EventTypes } from '@cornerstonejs/tools/types';
import type { MeasurementTool } from '@radwork/contract/reading/measurements';
import { measuredParts } from '@radwork/contract/reading/measurement-text';
import { type Pixel, regionsOfImage } from '#reading/viewer/images/header/ultrasound-regions.ts';
import { type RegionValues, valuesInRegions } from './region-values.ts';

type Drawing = EventTypes.AnnotationCompletedEventDetail['annotation']['data'] & {
  contour?: { polyline?: readonly (readonly [number, number, number])[] };
};

/**
 * Returns the pixel positions of a drawing, from the center of the first pixel. The imaging library counts from its
 * corner.
 */
const pixelsOf = ({ handles, contour }: Drawing, imageId: string): Pixel[] =>
  (contour?.polyline ?? handles?.points ?? []).map(([x, y, z]) => {
    const [column, row] = utilities.worldToImageCoords(imageId, [x, y, z]) ?? [NaN, NaN];
    return [column - 0.5, row - 0.5];
  });

/**
 * Returns the values of a drawing on an ultrasound image with regions. Undefined on other images, and for a point
 * without a velocity. Replaces the values of the imaging library (5.14.0). That library measures only lengths, by the
 * first region that contains both ends, and its velocities ignore the reference value.
 */
export const readInRegions = (tool: MeasurementTool, data: Drawing, imageId: string): RegionValues | undefined => {
  const regions = regionsOfImage(imageId);
  if (regions.length === 0) return undefined;
  const read = valuesInRegions(tool, pixelsOf(data, imageId), regions);
  return tool === 'PROBE' && read.values.length === 0 ? undefined : read;
};

type TextLines = (data: Drawing, target: string) => string[] | undefined;

/** Makes a tool show values computed from the ultrasound regions next to its drawings. */
export const measureInRegions = (group: Types.IToolGroup, tool: MeasurementTool, toolName: string) => {
  const { getTextLines: otherwise }: { getTextLines?: TextLines } = group.getToolInstance(toolName).configuration;
  const getTextLines: TextLines = (data, target) => {
    // Some tools pass an array with one target.
    const read = readInRegions(tool, data, String(target).replace(/^imageId:/, ''));
    if (!read) return otherwise?.(data, target);
    return [data.label ?? '', ...measuredParts(read.values), read.remark].filter((line) => line !== '');
  };
  group.setToolConfiguration(toolName, { getTextLines });
};
