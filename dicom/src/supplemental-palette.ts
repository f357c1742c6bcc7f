import { type AnyHeader, textIn } from './any-header.ts';
import type { LookupTable, Palette } from './lookup-table.ts';
import { colorInTable } from './lookup-table.ts';

const [pixelPresentation, interpretation] = ['00089205', '00280004'] as const;
/** The data of the three tables, plain and segmented. */
const tableData = ['00281201', '00281202', '00281203', '00281221', '00281222', '00281223'] as const;

/** Whether a grayscale image has color tables. An image in palette color is not grayscale. */
export const hasColorTables = (header: AnyHeader): boolean =>
  textIn(header, interpretation).startsWith('MONOCHROME') && tableData.some((tag) => header[tag] !== undefined);

/**
 * Whether a grayscale image shows part of its values in the colors of a supplemental palette (PS3.3 §C.7.6.19,
 * C.8.16.2.1.1.1).
 */
export const isSupplemented = (header: AnyHeader): boolean =>
  hasColorTables(header) && ['COLOR', 'MIXED'].includes(textIn(header, pixelPresentation));

/** The lowest stored value that is shown in color. Lower values are grays. */
export const firstColorOf = (palette: Palette): number => Math.min(...palette.map(({ first }) => first));

/** A palette as three tables of bytes, from the lowest colored value on. */
export const colorBytesOf = (palette: Palette): { first: number; tables: [Uint8Array, Uint8Array, Uint8Array] } => {
  const first = firstColorOf(palette);
  const end = Math.max(...palette.map((table) => table.first + table.values.length));
  const bytesOf = (table: LookupTable) =>
    Uint8Array.from({ length: end - first }, (_, index) => colorInTable(table, first + index));
  const [red, green, blue] = palette;
  return { first, tables: [bytesOf(red), bytesOf(green), bytesOf(blue)] };
};
