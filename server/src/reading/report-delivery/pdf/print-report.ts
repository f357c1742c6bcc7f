import { createRequire } from 'node:module';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { rebuildHtmlForElsewhere } from '#reading/report-records/report-html.ts';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import { blocksOf } from './blocks.ts';
import { type Content, picturesIn } from './content.ts';
import { fontFiles, isFontFile } from './fonts.ts';
import { type LaidPart, pageOf } from './page-layout.ts';
import { textWidth } from './page-text.ts';
import { readPictures } from './embedded-images.ts';
import { type Line, putInVisualOrder } from './visual-order.ts';

type PdfMake = {
  setFonts: (fonts: typeof fontFiles) => void;
  setUrlAccessPolicy: (mayRead: (url: string) => boolean) => void;
  setLocalAccessPolicy: (mayRead: (path: string) => boolean) => void;
  createPdf: (page: Content) => { getBuffer: () => Promise<Buffer> };
};

// The types of the package would add browser types to the whole server.
const require = createRequire(import.meta.url);
const pdfmake: PdfMake = require('pdfmake');

// pdfmake can draw the words of a line only from left to right (bpampuch/pdfmake#184).
const renderer: { renderLine: (line: Line, x: number, y: number) => void } =
  require('pdfmake/js/Renderer.js').default.prototype;
const { renderLine } = renderer;
renderer.renderLine = function drawInVisualOrder(line, x, y) {
  putInVisualOrder(line);
  return renderLine.call(this, line, x, y);
};

// fontkit throws when a font cannot position a mark on a letter. The mark is then drawn after the letter.
/** OpenType features that position marks on letters. */
const withoutPlaces = { mark: false, mkmk: false, abvm: false, blwm: false };
type Face = { layout: (text: string, features?: Record<string, boolean>) => unknown };
const fontsOfPdf: { provideFont: (...args: unknown[]) => { font: Face } } =
  require('pdfmake/js/PDFDocument.js').default.prototype;
const { provideFont } = fontsOfPdf;
const prepared = new WeakSet<Face>();
fontsOfPdf.provideFont = function provideFontThatDraws(...args) {
  const provided = provideFont.apply(this, args);
  const { font } = provided;
  if (prepared.has(font)) return provided;
  prepared.add(font);
  const layout = font.layout.bind(font);
  font.layout = (text, features) => {
    try {
      return layout(text, features);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return layout(text, { ...features, ...withoutPlaces });
    }
  };
  return provided;
};

pdfmake.setFonts(fontFiles);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(isFontFile);

/**
 * Creates the PDF of a report. The same report always gives the same PDF. The stored text is sanitized again. Throws a
 * Problem for a text that is too complex.
 */
export const printReport = async (document: ReportDocument): Promise<Buffer> => {
  const sources = document.parts.length > 0 ? document.parts : [undefined];
  const trees = sources.map((part) => ({ part, nodes: treeOf(part?.content ?? document.content) }));
  const { logo } = document.organization;
  const pictures = await readPictures([
    ...trees.flatMap(({ nodes }) => picturesIn(nodes)),
    ...document.parts.flatMap(({ signatureData }) => signatureData ?? []),
    ...(logo ? [logo] : []),
  ]);
  const place = { width: textWidth, size: 12, pictures, isTight: false, tables: 0 };
  const parts = trees.map(({ part, nodes }): LaidPart => ({
    part,
    body: blocksOf(nodes, place),
    signature: pictures.get(part?.signatureData ?? ''),
  }));
  return pdfmake.createPdf(pageOf({ document, parts, logo: pictures.get(logo ?? '') })).getBuffer();
};

const treeOf = (content: string): DefaultTreeAdapterTypes.ChildNode[] =>
  parseFragment(rebuildHtmlForElsewhere(content).html, { scriptingEnabled: false }).childNodes;
