import { AuthImage } from '#ui/media/auth-image.tsx';
import { PdfPages } from '#ui/media/pdf-pages.tsx';
import styles from './gallery.module.css';
import { never } from './data.ts';
import type { Specimens } from './specimens.ts';
import { Stage } from './stage.tsx';

/** Returns a PDF of empty A5 pages. It has no object table; the PDF reader rebuilds it. */
const pdfOf = (pages: number): Blob => {
  const numbers = Array.from({ length: pages }, (_, at) => at + 3);
  const kids = numbers.map((number) => `${number} 0 R`).join(' ');
  const objects = [
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    `2 0 obj <</Type/Pages/Count ${pages}/Kids[${kids}]>> endobj`,
    ...numbers.map((number) => `${number} 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 420 595]>> endobj`),
  ];
  return new Blob([`%PDF-1.4\n${objects.join('\n')}\ntrailer <</Root 1 0 R>>\n%%EOF`]);
};

const loading = Object.assign(new Blob(), { arrayBuffer: () => never });
const two = pdfOf(2);
const sixty = pdfOf(60);
const broken = new Blob(['no document']);

const picture = (path: string) => <AuthImage path={path} alt="Axial slice" className={styles.picture} />;

export const specimens: Specimens = {
  AuthImage: {
    filled: picture('/loaded'),
    loading: picture('/loading'),
    empty: picture('/missing'),
    error: picture('/failed'),
  },
  PdfPages: {
    pages: (
      <Stage width={360} height={320}>
        <PdfPages bytes={two} name="Report of two pages" zoom={0.5} />
      </Stage>
    ),
    'many rows': (
      <Stage width={360} height={320}>
        <PdfPages bytes={sixty} name="Report of sixty pages" zoom={0.5} />
      </Stage>
    ),
    loading: (
      <Stage width={360} height={320}>
        <PdfPages bytes={loading} name="Report that loads" />
      </Stage>
    ),
    error: (
      <Stage width={360} height={320}>
        <PdfPages bytes={broken} name="Broken report" />
      </Stage>
    ),
  },
};
