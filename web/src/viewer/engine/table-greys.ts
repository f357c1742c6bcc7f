import { Enums, type StackViewport, triggerEvent, type Types, utilities } from '@cornerstonejs/core';
import { type LookupTable, valueInTable } from '@radwork/dicom/lookup-table';
import type { GreyRange } from '#viewer/images/grey-window.ts';
import { greyTablesOf, type NamedTable } from '#viewer/images/lookup-tables.ts';
import { curveFunction } from './curve-function.ts';
import { propertyOf } from './grey-property.ts';

/** In how many steps greys are looked up: the library has 1024, which makes a table of 4096 entries coarser. */
const finest = 4096;

/** A table that lies over a picture: the curve that was made of it, and whether somebody has chosen it by its name. */
type Laid = { curve: object; name: string; isChosen: boolean };

const laid = new WeakMap<StackViewport, Laid>();

const laidOver = (viewport: StackViewport): Laid | undefined => {
  const one = laid.get(viewport);
  return one && propertyOf(viewport)?.getRGBTransferFunction(0) === one.curve ? one : undefined;
};

/** The name of the table that the greys of a picture go through; undefined where they go through a window. */
export const tableShown = (viewport: StackViewport): string | undefined => laidOver(viewport)?.name;

/** The table that somebody has chosen by its name, where the file would be shown otherwise. */
export const tableChosen = (viewport: StackViewport): string | undefined => {
  const one = laidOver(viewport);
  return one?.isChosen ? one.name : undefined;
};

/** The tables that the image brings that is drawn. Colours go through none. */
export const tablesOffered = (viewport: StackViewport): NamedTable[] => {
  const drawn = viewport.getCornerstoneImage();
  const tables = drawn && !drawn.color ? greyTablesOf(drawn.imageId).tables : [];
  return tables.length > 0 && propertyOf(viewport) ? tables : [];
};

/** Whether the image that is drawn is to be seen as its file wants it, which is through a table. */
export const isForOwnTable = (viewport: StackViewport): boolean => {
  const { tables, isFirst } = greyTablesOf(viewport.getCornerstoneImage()?.imageId ?? '');
  return isFirst && tables.length > 0 && viewport.getProperties().isComputedVOI === true;
};

/** Why the image that is drawn is not seen through the table that its file means; '' where it is, or means none. */
export const whyWithoutTable = (viewport: StackViewport): string => {
  const drawn = viewport.getCornerstoneImage();
  const { tables, isFirst, isAnyDamaged } = greyTablesOf(drawn?.imageId ?? '');
  if (!drawn || drawn.color || !isFirst) return '';
  if (tables.length === 0) return isAnyDamaged ? 'its VOI LUT is damaged' : '';
  // The processor knows no curves.
  return propertyOf(viewport) ? '' : 'not its VOI LUT: this browser draws without the graphics card';
};

/** From the least value of the image to its greatest, of which there are two at least. */
const valuesIn = (viewport: StackViewport): GreyRange => {
  const { minPixelValue, maxPixelValue } = viewport.getCornerstoneImage();
  return { lower: minPixelValue, upper: Math.max(maxPixelValue, minPixelValue + 1) };
};

/** The greys of the values of an image (PS3.3 §C.11.2.1.1): all of a table but what no pixel has. */
const curveOf = (table: LookupTable, { lower, upper }: GreyRange) => {
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

/** Has greys go through the window alone that the library holds. */
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

/** Shows the image that is drawn through the table that it is meant to be seen with at first, where there is one. */
export const layOwnTable = (viewport: StackViewport) => {
  const { tables, isFirst } = greyTablesOf(viewport.getCornerstoneImage()?.imageId ?? '');
  const [own] = tablesOffered(viewport).length > 0 && isFirst ? tables : [];
  if (own) lay(viewport, own, false);
  else layAside(viewport);
};

/** Shows the image that is drawn through its table of this name. Whether there is one. */
export const chooseTable = (viewport: StackViewport, wanted: string): boolean => {
  const table = tablesOffered(viewport).find(({ name }) => name === wanted);
  if (!table) return false;
  // From here on a window is set by hand, and what each image brings is not shown by itself.
  const range = valuesIn(viewport);
  viewport.setProperties({ voiRange: range }, true);
  lay(viewport, table, true);
  // Told only now: whoever does as this picture does is to find its table.
  triggerEvent(viewport.element, Enums.Events.VOI_MODIFIED, { viewportId: viewport.id, range });
  return true;
};

/**
 * Has each picture of a stack be seen through its own table (PS3.3 §C.11.2): at first that of its file, or the one of the
 * name that somebody chose. Whoever sets a window sees that, and no table: either is applied, never both.
 */
export const greysThroughTables = (viewport: StackViewport) => {
  const setProperties = viewport.setProperties.bind(viewport);
  viewport.setProperties = (properties, suppressEvents) => {
    // The library would stretch the curve of the table.
    if (properties?.voiRange) layAside(viewport);
    setProperties(properties, suppressEvents);
  };
  viewport.element.addEventListener(Enums.Events.STACK_NEW_IMAGE, () => {
    const before = laid.get(viewport);
    if (before?.isChosen) {
      if (!chooseTable(viewport, before.name)) layAside(viewport);
    } else if (viewport.getProperties().isComputedVOI) layOwnTable(viewport);
  });
};
