import { readFileSync } from 'node:fs';

/** Characters of a TrueType font and their widths, as fractions of the font size. */
export type FontFace = { covers: (codePoint: number) => boolean; advance: (codePoint: number) => number };

/** Reads the character map and the widths in a TrueType file. Throws a RangeError for other fonts. */
export const readFontFace = (path: string): FontFace => {
  const file = readFileSync(path);
  const tables = tablesOf(file);
  const tableAt = (name: string): Buffer => {
    const table = tables.get(name);
    if (!table) throw new RangeError(`${path} has no table ${name}`);
    return table;
  };
  const glyphs = readCharacterMap(tableAt('cmap'));
  const unitsPerEm = tableAt('head').readUInt16BE(18);
  const metricCount = tableAt('hhea').readUInt16BE(34);
  const metrics = tableAt('hmtx');
  return {
    covers: (codePoint) => glyphs.has(codePoint),
    advance: (codePoint) => {
      const glyph = Math.min(glyphs.get(codePoint) ?? 0, metricCount - 1);
      return metrics.readUInt16BE(glyph * 4) / unitsPerEm;
    },
  };
};

const tablesOf = (file: Buffer): Map<string, Buffer> => {
  const count = file.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, index): [string, Buffer] => {
      const at = 12 + index * 16;
      const offset = file.readUInt32BE(at + 8);
      return [file.toString('latin1', at, at + 4), file.subarray(offset, offset + file.readUInt32BE(at + 12))];
    }),
  );
};

const unicodePlatforms = new Set(['0 3', '0 4', '0 6', '3 1', '3 10']);

/** Reads the glyph of each character (OpenType "cmap", formats 4 and 12). */
const readCharacterMap = (cmap: Buffer): Map<number, number> => {
  const glyphs = new Map<number, number>();
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const at = 4 + index * 8;
    if (!unicodePlatforms.has(`${cmap.readUInt16BE(at)} ${cmap.readUInt16BE(at + 2)}`)) continue;
    const table = cmap.subarray(cmap.readUInt32BE(at + 4));
    const format = table.readUInt16BE(0);
    if (format === 4) readSegments(table, glyphs);
    if (format === 12) readGroups(table, glyphs);
  }
  return glyphs;
};

const readSegments = (table: Buffer, glyphs: Map<number, number>) => {
  const size = table.readUInt16BE(6);
  const [ends, starts, deltas, offsets] = [14, 16 + size, 16 + 2 * size, 16 + 3 * size];
  for (let at = 0; at < size; at += 2) {
    const [first, last] = [table.readUInt16BE(starts + at), table.readUInt16BE(ends + at)];
    const delta = table.readUInt16BE(deltas + at);
    const offset = table.readUInt16BE(offsets + at);
    for (let code = first; code <= last && code !== 0xffff; code += 1) {
      const glyphEntry = offset === 0 ? code : table.readUInt16BE(offsets + at + offset + (code - first) * 2);
      const glyph = glyphEntry === 0 ? 0 : (glyphEntry + delta) & 0xffff;
      if (glyph !== 0) glyphs.set(code, glyph);
    }
  }
};

const readGroups = (table: Buffer, glyphs: Map<number, number>) => {
  for (let index = 0; index < table.readUInt32BE(12); index += 1) {
    const at = 16 + index * 12;
    const [first, last] = [table.readUInt32BE(at), table.readUInt32BE(at + 4)];
    const glyph = table.readUInt32BE(at + 8);
    for (let code = first; code <= last; code += 1) glyphs.set(code, glyph + code - first);
  }
};
