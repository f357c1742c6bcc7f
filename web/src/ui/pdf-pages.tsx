import { Button } from '@mantine/core';
import { getDocument, type PDFDocumentLoadingTask, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import { useCallback, useEffect, useState } from 'react';
import { startWorker } from '#core/start-worker.ts';
import { PdfData } from './pdf-data.ts';
import { drawnScale, type PageSize, usualPage } from './pdf-size.ts';
import styles from './pdf-pages.module.css';
// Vite makes its address of it.
// oxlint-disable-next-line import/default
import pdfWorker from './pdf-worker.ts?worker&url';
import { ErrorState, Skeleton } from './states.tsx';

/** So many pages are laid out, and as many more when they are asked for. */
const pagesAtOnce = 50;

type Props = {
  bytes: Blob;
  name: string;
  /** How large its pages are: 1 is as they are printed on paper, unless there is no room for that. */
  zoom?: number;
  /** How the place looks in which they stand, where that is not usual. */
  className?: string | undefined;
};

let worker: PDFWorker | undefined;

/** One for all documents: it outlives each of them, but keeps nothing of one that was given up. */
const sharedWorker = (): PDFWorker => {
  worker ??= PDFWorker.create({ port: startWorker(pdfWorker) });
  return worker;
};

/** Pixels of one picture in a document, above which it is left out: more than A3 at 600 dpi, in colour 400 MB. */
const mostPicturePixels = 100_000_000;

const open = (data: ArrayBuffer): PDFDocumentLoadingTask =>
  getDocument({
    data,
    worker: sharedWorker(),
    enableXfa: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    maxImageSize: mostPicturePixels,
    BinaryDataFactory: PdfData,
  });

type Opened = {
  document: PDFDocumentProxy;
  /** Of its first page, which the others are taken for at first. */ size: PageSize;
};

const sizeOf = async (document: PDFDocumentProxy, number: number): Promise<PageSize> => {
  const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
};

/** The pages of a PDF, drawn: nothing in it is run, and nothing is fetched for it. */
export function PdfPages({ bytes, ...props }: Props) {
  const [state, setState] = useState<{ opened?: Opened; error?: unknown }>({});
  useEffect(() => {
    let isGone = false;
    let task: PDFDocumentLoadingTask | undefined;
    const opening = async () => {
      const data = await bytes.arrayBuffer();
      if (isGone) return;
      task = open(data);
      const document = await task.promise;
      const size = await sizeOf(document, 1).catch(() => usualPage);
      if (!isGone) setState({ opened: { document, size } });
    };
    opening().catch((error: unknown) => !isGone && setState({ error }));
    return () => {
      isGone = true;
      void task?.destroy().catch(() => undefined);
    };
  }, [bytes]);
  if (state.error !== undefined) return <ErrorState failed="The document cannot be shown" error={state.error} />;
  if (!state.opened) return <Skeleton lines={8} />;
  return <Pages {...state.opened} {...props} />;
}

type PagesProps = Omit<Props, 'bytes'> & Opened;

function Pages({ document, size, name, zoom = 1, className = styles.stage }: PagesProps) {
  const [most, setMost] = useState(pagesAtOnce);
  const shown = Math.min(document.numPages, most);
  const left = document.numPages - shown;
  return (
    <div className={className} tabIndex={0} role="region" aria-label={name}>
      {Array.from({ length: shown }, (_, index) => (
        <PdfPage key={index} document={document} size={size} number={index + 1} zoom={zoom} />
      ))}
      {left > 0 && (
        <div className={styles.more}>
          <span role="status">
            {shown} of {document.numPages} pages
          </span>
          <Button variant="default" onClick={() => setMost(most + pagesAtOnce)}>
            Show {Math.min(left, pagesAtOnce)} more
          </Button>
        </div>
      )}
    </div>
  );
}

/** How far from what is seen pages are drawn, for whoever scrolls on. */
const aheadOfView = '100% 0px';

/** A page in its place. It is drawn while it is in view or near, and gives its memory back when it is not. */
function PdfPage({ document, size: usual, number, zoom }: Opened & { number: number; zoom: number }) {
  const [size, setSize] = useState(usual);
  const [isNear, setNear] = useState(false);
  const [failedAt, setFailedAt] = useState<number>();
  const watch = useCallback((place: HTMLDivElement) => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting === true), {
      root: place.parentElement,
      rootMargin: aheadOfView,
    });
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  const onFail = useCallback(() => setFailedAt(zoom), [zoom]);
  const scale = 1.5 * zoom;
  return (
    <div
      ref={watch}
      className={styles.page}
      style={{
        width: size.width * scale,
        maxWidth: `${zoom * 100}%`,
        aspectRatio: `${size.width} / ${size.height}`,
      }}
    >
      {failedAt === zoom && <p className={styles.failed}>This page could not be drawn</p>}
      {failedAt !== zoom && isNear && (
        <PageCanvas key={zoom} document={document} number={number} scale={scale} onSize={setSize} onFail={onFail} />
      )}
    </div>
  );
}

type CanvasProps = {
  document: PDFDocumentProxy;
  number: number;
  /** Pixels for each point. */
  scale: number;
  onSize: (size: PageSize) => void;
  onFail: () => void;
};

function PageCanvas({ document, number, scale, onSize, onFail }: CanvasProps) {
  const draw = useCallback(
    (canvas: HTMLCanvasElement) => {
      let task: { cancel: () => void } | undefined;
      let isGone = false;
      const drawing = async () => {
        const page = await document.getPage(number);
        if (isGone) return;
        const { width, height } = page.getViewport({ scale: 1 });
        onSize({ width, height });
        const viewport = page.getViewport({ scale: drawnScale({ width, height }, scale) });
        canvas.width = Math.max(1, Math.floor(viewport.width));
        canvas.height = Math.max(1, Math.floor(viewport.height));
        const rendering = page.render({ canvas, viewport });
        task = rendering;
        await rendering.promise;
        if (!isGone) canvas.dataset['drawn'] = 'true';
      };
      drawing().catch(() => !isGone && onFail());
      return () => {
        isGone = true;
        task?.cancel();
        delete canvas.dataset['drawn'];
        // Some browsers keep the pixels of what is gone for a while.
        canvas.width = 0;
        canvas.height = 0;
      };
    },
    [document, number, scale, onSize, onFail],
  );
  return <canvas ref={draw} className={styles.drawing} role="img" aria-label={`Page ${number}`} />;
}
