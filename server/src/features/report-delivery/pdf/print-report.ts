import { createRequire } from 'node:module';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { rebuildHtmlForElsewhere } from '#features/reports/report-html.ts';
import type { ReportDocument } from '../report-document.ts';
import { blocksOf } from './blocks.ts';
import { type Content, picturesIn } from './content.ts';
import { fontFiles, isFontFile } from './fonts.ts';
import { type LaidPart, pageOf, textWidth } from './page.ts';
import { readPictures } from './pictures.ts';

type PdfMake = {
  setFonts: (fonts: typeof fontFiles) => void;
  setUrlAccessPolicy: (mayRead: (url: string) => boolean) => void;
  setLocalAccessPolicy: (mayRead: (path: string) => boolean) => void;
  createPdf: (page: Content) => { getBuffer: () => Promise<Buffer> };
};

// Its own types would bring those of browsers into all of the server.
const pdfmake: PdfMake = createRequire(import.meta.url)('pdfmake');

pdfmake.setFonts(fontFiles);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy(isFontFile);

/**
 * The PDF of a report, always the same of the same report. The text is sanitised once more, whoever has stored it. Throws
 * a Problem for a text that is too complex to be a report.
 */
export const printReport = async (document: ReportDocument): Promise<Buffer> => {
  const sources = document.parts.length > 0 ? document.parts : [undefined];
  const trees = sources.map((part) => ({ part, nodes: treeOf(part?.content ?? document.content) }));
  const { logo } = document.organisation;
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
