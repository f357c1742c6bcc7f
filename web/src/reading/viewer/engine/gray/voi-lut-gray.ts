import { t } from '@lingui/core/macro';
import { Enums, type StackViewport, triggerEvent, type Types, utilities } from '@cornerstonejs/core';
import { type LookupTable, valueInTable } from '@radwork/dicom/lookup-table';
import type { GrayRange } from '#reading/viewer/images/gray/gray-window.ts';
import { grayTablesOf, type NamedTable } from '#reading/viewer/images/gray/lookup-tables.ts';
import { curveFunction } from './curve-function.ts';
import { propertyOf } from './gray-property.ts';

/** Number of gray steps. The default of the imaging library, 1024, is too coarse for a table with 4096 entries. */
const finest = 4096;

/** VOI LUT applied to a viewport: curve, name, and whether the user chose it. */
type AppliedLut = { curve: object; name: string; isChosen: boolean };

const laid = new WeakMap<StackViewport, AppliedLut>();

const laidOver = (viewport: StackViewport): AppliedLut | undefined => {
  const one = laid.get(viewport);
  return one && propertyOf(viewport)?.getRGBTransferFunction(0) === one.curve ? one : undefined;
};

/** Returns the name of the VOI LUT in use. Undefined if a window is in use. */
export const tableShown = (viewport: StackViewport): string | undefined => laidOver(viewport)?.name;

/** Returns the name of the VOI LUT in use, if the user chose it. Undefined for the default of the file. */
export const tableChosen = (viewport: StackViewport): string | undefined => {
  const one = laidOver(viewport);
  return one?.isChosen ? one.name : undefined;
};

/** Returns the VOI LUTs of the drawn image. Empty for color images. */
export const tablesOffered = (viewport: StackViewport): NamedTable[] => {
  const drawnImage = viewport.getCornerstoneImage();
  const tables = drawnImage && !drawnImage.color ? grayTablesOf(drawnImage.imageId).tables : [];
  return tables.length > 0 && propertyOf(viewport) ? tables : [];
};

/** Whether the drawn image uses the default of its file and this default is a VOI LUT. */
export const isForOwnTable = (viewport: StackViewport): boolean => {
  const { tables, isFirst } = grayTablesOf(viewport.getCornerstoneImage()?.imageId ?? '');
  return isFirst && tables.length > 0 && viewport.getProperties().isComputedVOI === true;
};

/** Returns the reason why the VOI LUT of the file is not used. Empty if it is used, or if the default is no VOI LUT. */
export const whyWithoutTable = (viewport: StackViewport): string => {
  const drawnImage = viewport.getCornerstoneImage();
  const { tables, isFirst, isAnyDamaged } = grayTablesOf(drawnImage?.imageId ?? '');
  if (!drawnImage || drawnImage.color || !isFirst) return '';
  if (tables.length === 0) return isAnyDamaged ? t`VOI LUT damaged` : '';
  // Rendering on the processor uses no curves.
  return propertyOf(viewport) ? '' : t`VOI LUT not applied: no graphics acceleration`;
};

/** Returns the value range of the image, with a width of at least 1. */
const valuesIn = (viewport: StackViewport): GrayRange => {
  const { minPixelValue, maxPixelValue } = viewport.getCornerstoneImage();
  return { lower: minPixelValue, upper: Math.max(maxPixelValue, minPixelValue + 1) };
};

/** Returns the gray curve of an image (PS3.3 §C.11.2.1.1), limited to the range of its pixel values. */
const curveOf = (table: LookupTable, { lower, upper }: GrayRange) => {
  const steps = Math.min(Math.ceil(upper - lower), 65_536);
  const points = Array.from({ length: steps + 1 }, (_, step) => {
    const value = lower + ((upper - lower) * step) / steps;
    const grey = valueInTable(table, value) / (2 ** table.bits - 1);
    return { value, red: grey, green: grey, blue: grey };
  });
  return curveFunction(points);
};

const lay = (viewport: StackViewport, { name, table }: NamedTable, isChosen: boolean) => {
  const property = propertyOf(viewport);
  if (!property) return;
  const range = valuesIn(viewport);
  const curve = curveOf(table, range);
  if (viewport.getProperties().invert) utilities.invertRgbTransferFunction(curve);
  laid.set(viewport, { curve, name, isChosen });
  property.setRGBTransferFunction(0, curve);
  const { actor } = viewport.getDefaultActor();
  (actor as Types.ImageActor).getMapper().setColorTextureWidth(finest);
};

/** Removes the VOI LUT and shows the window that the imaging library has stored. */
const layAside = (viewport: StackViewport) => {
  const wasLaid = laidOver(viewport) !== undefined;
  laid.delete(viewport);
  if (!wasLaid) return;
  const { voiRange, invert } = viewport.getProperties();
  if (!voiRange) return;
  const line = utilities.createLinearRGBTransferFunction(voiRange);
  if (invert) utilities.invertRgbTransferFunction(line);
  propertyOf(viewport)?.setRGBTransferFunction(0, line);
};

/** Applies the default VOI LUT of the drawn image, if it has one. */
export const applyDefaultTable = (viewport: StackViewport) => {
  const { tables, isFirst } = grayTablesOf(viewport.getCornerstoneImage()?.imageId ?? '');
  const [own] = tablesOffered(viewport).length > 0 && isFirst ? tables : [];
  if (own) lay(viewport, own, false);
  else layAside(viewport);
};

/** Applies the VOI LUT of this name. Returns false if the image has none. */
export const chooseTable = (viewport: StackViewport, tableName: string): boolean => {
  const table = tablesOffered(viewport).find(({ name }) => name === tableName);
  if (!table) return false;
  // Sets the range as if the user had set a window, so that later images do not use their defaults.
  const range = valuesIn(viewport);
  viewport.setProperties({ voiRange: range }, true);
  lay(viewport, table, true);
  // Fires the event only now, because linked viewports then look for the table.
  triggerEvent(viewport.element, Enums.Events.VOI_MODIFIED, { viewportId: viewport.id, range });
  return true;
};

/**
 * Applies a VOI LUT to each image of a stack (PS3.3 §C.11.2): the default of its file, or the one that the user chose
 * by name. Setting a window removes the VOI LUT, because only one of them applies.
 */
export const greysThroughTables = (viewport: StackViewport) => {
  const setProperties = viewport.setProperties.bind(viewport);
  viewport.setProperties = (properties, suppressEvents) => {
    // Removes the table first. Otherwise the imaging library would stretch its curve.
    if (properties?.voiRange) layAside(viewport);
    setProperties(properties, suppressEvents);
  };
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, () => {
    const before = laid.get(viewport);
    if (before?.isChosen) {
      if (!chooseTable(viewport, before.name)) layAside(viewport);
    } else if (viewport.getProperties().isComputedVOI) applyDefaultTable(viewport);
  });
};
