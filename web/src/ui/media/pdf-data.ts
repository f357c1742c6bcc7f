/** Data that PDF files expect from a viewer, by name: 14 standard fonts, Asian character maps, decoders. */
const places = import.meta.glob<string>(
  '../../../../node_modules/pdfjs-dist/{standard_fonts,cmaps,wasm}/*.{pfb,ttf,bcmap,wasm}',
  { query: '?url', import: 'default', eager: true },
);
const placeOf = new Map(Object.entries(places).map(([path, place]) => [path.split('/').at(-1), place]));

/** Loads this data from our own server, as the `BinaryDataFactory` of pdf.js. */
export class PdfData {
  async fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    const place = placeOf.get(filename);
    if (place === undefined) throw new Error(`Radwork does not include ${filename}`);
    const answer = await fetch(place);
    if (!answer.ok) throw new Error(`The server answered ${answer.status} for ${filename}`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
