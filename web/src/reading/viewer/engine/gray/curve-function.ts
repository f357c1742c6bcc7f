import vtkColorTransferFunction from '@kitware/vtk.js/Rendering/Core/ColorTransferFunction.js';

/** Color at a value; components from 0 to 1. Values between two points are interpolated linearly. */
export type CurvePoint = { value: number; red: number; green: number; blue: number };

/** Options with which the library interpolates linearly to the next point. */
const straightOn = { midpoint: 0.5, sharpness: 0 };

/** Returns the transfer function for the graphics card. */
export const curveFunction = (points: readonly CurvePoint[]) => {
  const transferFunction = vtkColorTransferFunction.newInstance();
  // Sets all points in one call, because the library sorts and compares all points after each single addition.
  transferFunction.setNodes(
    points.map(({ value, red, green, blue }) => ({ x: value, r: red, g: green, b: blue, ...straightOn })),
  );
  return transferFunction;
};
