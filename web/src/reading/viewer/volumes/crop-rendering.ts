import { Enums, type VolumeViewport3D } from '@cornerstonejs/core';
import vtkPlane from '@kitware/vtk.js/Common/DataModel/Plane';
import { type Crop, type CropPlane, cropPlanes, type Grid } from './cropping.ts';
import { point3 } from './point3.ts';

type Planes = ReturnType<typeof vtkPlane.newInstance>[];

/** Part of the vtk.js volume mapper used here. */
type Mapper = {
  getNumberOfClippingPlanes: () => number;
  removeAllClippingPlanes: () => void;
  addClippingPlane: (plane: Planes[number]) => void;
};

const isMapper = (mapper: unknown): mapper is Mapper =>
  typeof mapper === 'object' && mapper !== null && 'addClippingPlane' in mapper;

const place = (planes: Planes, clippingPlanes: readonly CropPlane[]) => {
  for (const [at, { origin, normal }] of clippingPlanes.entries()) {
    planes[at]?.setOrigin(point3(origin));
    planes[at]?.setNormal(point3(normal));
  }
};

/**
 * Crops a rendered volume. When the volume rotates, the imaging library (5.14.0) overwrites the first two crop planes
 * with slab planes. They are therefore restored before each rendering. Returns a function that stops restoring them.
 */
export const cropRendering = (viewport: VolumeViewport3D, grid: Grid, crop: Crop): (() => void) => {
  const mapper: unknown = viewport.getDefaultActor()?.actor.getMapper();
  const clippingPlanes = cropPlanes(grid, crop);
  // Avoids a needless rendering, which is expensive.
  if (!isMapper(mapper) || (clippingPlanes.length === 0 && mapper.getNumberOfClippingPlanes() === 0)) return () => {};
  const planes = clippingPlanes.map(() => vtkPlane.newInstance());
  place(planes, clippingPlanes);
  mapper.removeAllClippingPlanes();
  for (const plane of planes) mapper.addClippingPlane(plane);
  const onMoved = () => place(planes, clippingPlanes);
  viewport.element.addEventListener(Enums.Events.CLIPPING_PLANES_UPDATED, onMoved);
  viewport.render();
  return () => viewport.element.removeEventListener(Enums.Events.CLIPPING_PLANES_UPDATED, onMoved);
};
