import { textIn } from '@radwork/dicom/any-header';
import type { Color } from '@radwork/dicom/cielab';
import type { DicomJson } from '@radwork/dicom/dataset';
import { bitmapShutterOf } from '@radwork/dicom/display-shutter';
import { type OverlayPlane, overlayPlanesOf } from '@radwork/dicom/overlay-planes';
import { colorsOfLayers } from './annotations.ts';
import type { TablesApart } from './grayscale.ts';

/** Overlay plane of a state, with its Overlay Data (60xx,3000) and the color of its layer. */
export type StateOverlay = { plane: OverlayPlane; data: Uint8Array; color: Color | undefined };

/** Overlay planes of a state that are drawn, and the plane that is its bitmap shutter (PS3.3 §C.7.6.15). */
export type StateOverlays = { drawn: readonly StateOverlay[]; shutter: StateOverlay | undefined };

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

const elementOf = (header: DicomJson, { group }: OverlayPlane) => header[`${group}3000`];

const dataOf = (header: DicomJson, plane: OverlayPlane, apart: TablesApart): Uint8Array | undefined => {
  const { InlineBinary, BulkDataURI = '' } = elementOf(header, plane) ?? {};
  if (InlineBinary) return bytesOf(InlineBinary);
  const bytes = apart.get(BulkDataURI);
  return bytes instanceof Uint8Array ? bytes : undefined;
};

/** Returns the layer of a plane. A plane without a layer is not shown (PS3.3 §C.11.7). */
const layerOf = (header: DicomJson, { group }: OverlayPlane): string => textIn(header, `${group}1001`);

/** Returns the planes to show. The shutter needs no layer. */
const wantedIn = (header: DicomJson): { plane: OverlayPlane; isReadable: boolean; isShutter: boolean }[] => {
  const group = bitmapShutterOf(header, header)?.group;
  return overlayPlanesOf(header)
    .map((one) => ({ ...one, isShutter: one.plane.group === group }))
    .filter(({ plane, isShutter }) => isShutter || layerOf(header, plane) !== '');
};

/** Returns the addresses of the overlay planes stored outside the header. */
export const overlaysApartOf = (header: DicomJson): string[] =>
  wantedIn(header).flatMap(({ plane }) => elementOf(header, plane)?.BulkDataURI ?? []);

/** Reads the overlay planes of a state. `apart` holds those stored outside the header. */
export const stateOverlaysOf = (header: DicomJson, apart: TablesApart): StateOverlays => {
  const colors = colorsOfLayers(header);
  const read = wantedIn(header).flatMap(({ plane, isReadable, isShutter }) => {
    const data = isReadable && !plane.isInPixels ? dataOf(header, plane, apart) : undefined;
    return data ? [{ plane, data, color: colors.get(layerOf(header, plane)), isShutter }] : [];
  });
  return {
    drawn: read.filter(({ isShutter }) => !isShutter),
    shutter: read.find(({ isShutter }) => isShutter),
  };
};

/** Returns the number of planes to show that could not be read, without the shutter. */
export const unreadOverlays = (header: DicomJson, apart: TablesApart): number =>
  wantedIn(header).filter(({ isShutter }) => !isShutter).length - stateOverlaysOf(header, apart).drawn.length;

/** Whether a state has a bitmap shutter that could not be read. */
export const isShutterUnread = (header: DicomJson, apart: TablesApart): boolean =>
  bitmapShutterOf(header, header) !== undefined && stateOverlaysOf(header, apart).shutter === undefined;
