import vtkColorTransferFunction from '@kitware/vtk.js/Rendering/Core/ColorTransferFunction.js';

/** Color of a value, channels from 0 to 1. Values between two points are interpolated linearly. */
export type CurvePoint = { value: number; red: number; green: number; blue: number };

/** Linear interpolation to the next point. */
const straightOn = { midpoint: 0.5, sharpness: 0 };

/** Makes the transfer function for the graphics card. */
export const curveFunction = (points: readonly CurvePoint[]) => {
  const made = vtkColorTransferFunction.newInstance();
  // All points in one call: the library sorts and compares all its points after each single addition.
  made.setNodes(points.map(({ value, red, green, blue }) => ({ x: value, r: red, g: green, b: blue, ...straightOn })));
  return made;
};
