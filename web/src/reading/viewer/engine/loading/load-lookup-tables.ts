import { paddingOfImage } from '#reading/viewer/images/values/padding.ts';
import { t } from '@lingui/core/macro';
import { metaData, type Types } from '@cornerstonejs/core';
import { alikePalette, colorInTable } from '@radwork/dicom/lookup-table';
import { firstColorOf } from '@radwork/dicom/supplemental-palette';
import type { ValueRange } from '@radwork/dicom/value-window';
import { fetchBytes } from '#core/http/api.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';
import {
  missingTables,
  modalityTableOf,
  paletteOf,
  supplementalPaletteOf,
} from '#reading/viewer/images/gray/lookup-tables.ts';

/** Size of the largest table in bytes: 65,536 entries of 16 bits (PS3.3 §C.11.1.1). */
const longestTable = 2 * 65_536;

/** Error for a lookup table that could not be fetched. The message gives the reason. */
export class MissingTable extends Error {
  override readonly name = 'MissingTable';
}

const onTheirWay = new Map<string, Promise<Uint8Array>>();

const fetchTable = async (place: string): Promise<Uint8Array> => {
  try {
    const blob = await fetchBytes(place, { accept: 'application/octet-stream', most: longestTable });
    return new Uint8Array(await blob.arrayBuffer());
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, '') : '';
    const words = reason ? t`A lookup table could not be loaded: ${reason}.` : t`A lookup table could not be loaded.`;
    throw new MissingTable(words, { cause: error });
  } finally {
    onTheirWay.delete(place);
  }
};

const fetchAll = async (imageId: string, { uris, apart }: ReturnType<typeof missingTables>) => {
  await Promise.all(
    uris.map(async (uri) => {
      const place = `${instanceOf(imageId).replace(/^wadors:/, '')}${uri.slice(uri.indexOf('/bulkdata/'))}`;
      const coming = onTheirWay.get(place) ?? fetchTable(place);
      onTheirWay.set(place, coming);
      apart.set(uri, await coming);
    }),
  );
};

/**
 * Wraps an image loader. Before loading, it fetches the lookup tables stored outside the header. If a table is missing,
 * the image fails, because it would otherwise show wrong values.
 */
export const withTables =
  (load: Types.ImageLoaderFn): Types.ImageLoaderFn =>
  (imageId, options) => {
    const missing = missingTables(imageId);
    if (missing.uris.length === 0) return load(imageId, options);
    return { promise: fetchAll(imageId, missing).then(() => load(imageId, options).promise) };
  };

/** Converts a palette for the imaging library: entries of one byte, and the same first value for all channels. */
const plainPalette = (imageId: string) => {
  const palette = paletteOf(imageId);
  if (!palette) return undefined;
  const alike = alikePalette(palette);
  const first = Math.min(...alike.map((table) => table.first));
  const end = Math.max(...alike.map(({ first: start, values }) => start + values.length));
  const tables = alike.map((table) =>
    Uint8Array.from({ length: end - first }, (_, index) => colorInTable(table, first + index)),
  );
  return { first, tables };
};

/** Stored values of an image that are no grays. Colors reach to the end of a cell of 32 bits. */
const uncountedOf = (imageId: string): ValueRange[] => {
  const [padding, colors] = [paddingOfImage(imageId), supplementalPaletteOf(imageId)];
  return [...(padding ? [padding] : []), ...(colors ? [[firstColorOf(colors), 2 ** 32] as const] : [])];
};

const provided: Record<string, (imageId: string) => unknown> = {
  modalityTable: modalityTableOf,
  colourTables: plainPalette,
  uncountedValues: uncountedOf,
};

/**
 * Gives lookup tables and padding to the imaging library. The build patches the library to ask for them
 * (web/build/patch-numbers.ts).
 */
export const provideTables = () =>
  metaData.addProvider((type: string, imageId: unknown) =>
    typeof imageId === 'string' ? provided[type]?.(imageId) : undefined,
  );
