import vtkColorTransferFunction from '@kitware/vtk.js/Rendering/Core/ColorTransferFunction.js';

/** A colour from 0 to 1 that a value is shown in, between its neighbours in a straight line. */
export type CurvePoint = { value: number; red: number; green: number; blue: number };

/** From a point of a curve to the next in a straight line. */
const straightOn = { midpoint: 0.5, sharpness: 0 };

/** A curve as the graphics card is given it. */
export const curveFunction = (points: readonly CurvePoint[]) => {
  const made = vtkColorTransferFunction.newInstance();
  // All at once: the library sorts and compares all that it has after each point that is added by itself.
  made.setNodes(points.map(({ value, red, green, blue }) => ({ x: value, r: red, g: green, b: blue, ...straightOn })));
  return made;
};
