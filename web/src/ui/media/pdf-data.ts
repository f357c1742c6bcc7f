/** Data that PDF files expect from each viewer: 14 standard fonts, Asian character maps, decoders. By name. */
const places = import.meta.glob<string>(
  '../../../../node_modules/pdfjs-dist/{standard_fonts,cmaps,wasm}/*.{pfb,ttf,bcmap,wasm}',
  { query: '?url', import: 'default', eager: true },
);
const placeOf = new Map(Object.entries(places).map(([path, place]) => [path.split('/').at(-1), place]));

/** Loads this data for pdf.js from our own origin, as its `BinaryDataFactory`. */
export class PdfData {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const place = placeOf.get(filename);
    if (place === undefined) throw new Error(`Radwork does not include ${filename}`);
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`The server answered ${answer.status} for ${filename}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
