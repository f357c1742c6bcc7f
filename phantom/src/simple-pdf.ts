/** An A5 page in points (1/72 inch). */
const [width, height] = [420, 595];

const escaped = (text: string): string => text.replaceAll(/[\\()]/g, (character) => `\\${character}`);

/** A small PDF of one page: a pure red bar in the top half, and lines of ASCII text below. */
export const simplePdf = (lines: readonly string[]): Buffer => {
  const text = lines.map((line, at) => `BT /F1 14 Tf 40 ${260 - at * 22} Td (${escaped(line)}) Tj ET`);
  const content = [`1 0 0 rg 40 330 ${width - 80} 200 re f 0 0 0 rg`, ...text].join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = file.length;
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`, 'latin1');
};
