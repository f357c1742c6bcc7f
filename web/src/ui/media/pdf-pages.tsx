import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { getDocument, type PDFDocumentLoadingTask, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import { useCallback, useEffect, useState } from 'react';
import { startWorker } from '#core/browser/start-worker.ts';
import { PdfData } from './pdf-data.ts';
import { drawnScale, type PageSize, usualPage } from './pdf-size.ts';
import styles from './pdf-pages.module.css';
// Vite replaces this import by the URL of the worker.
// oxlint-disable-next-line import/default
import pdfWorker from './pdf-worker.ts?worker&url';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';

/** Number of pages laid out at first, and added with each press of "Show more". */
const pagesAtOnce = 50;

type Props = {
  bytes: Blob;
  name: string;
  /** Size of the pages. 1 is the size on paper, or less if there is no room. */
  zoom?: number;
  /** CSS class of the container, if not the default. */
  className?: string | undefined;
};

let worker: PDFWorker | undefined;

/** Returns the worker that all documents share. It keeps running, but frees closed documents. */
const sharedWorker = (): PDFWorker => {
  worker ??= PDFWorker.create({ port: startWorker(pdfWorker) });
  return worker;
};

/**
 * Maximum number of pixels of an image in a document; larger images are left out. The limit is more than A3 at 600 dpi,
 * and 400 MB in color.
 */
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

type OpenedPdf = {
  document: PDFDocumentProxy;
  /** Size of the first page. The other pages are assumed to have this size until they are loaded. */ size: PageSize;
};

const sizeOf = async (document: PDFDocumentProxy, number: number): Promise<PageSize> => {
  const { width, height } = (await document.getPage(number)).getViewport({ scale: 1 });
  return { width, height };
};

/** Shows the pages of a PDF. Runs no scripts of the file and fetches nothing for it. */
export function PdfPages({ bytes, ...props }: Props) {
  const [state, setState] = useState<{ opened?: OpenedPdf; error?: unknown }>({});
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
  if (state.error !== undefined) return <ErrorState failed={t`Could not show the document`} error={state.error} />;
  if (!state.opened) return <Skeleton lines={8} />;
  return <Pages {...state.opened} {...props} />;
}

type PagesProps = Omit<Props, 'bytes'> & OpenedPdf;

function Pages({ document, size, name, zoom = 1, className = styles.stage }: PagesProps) {
  const [most, setMost] = useState(pagesAtOnce);
  const shown = Math.min(document.numPages, most);
  const total = document.numPages;
  const next = Math.min(total - shown, pagesAtOnce);
  return (
    <div className={className} tabIndex={0} role="region" aria-label={name}>
      {Array.from({ length: shown }, (_, index) => (
        <PdfPage key={index} document={document} size={size} number={index + 1} zoom={zoom} />
      ))}
      {next > 0 && (
        <div className={styles.more}>
          <span role="status">{t`${shown} of ${total} pages`}</span>
          <Button variant="default" onClick={() => setMost(most + pagesAtOnce)}>
            {t`Show ${next} more`}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Margin around the visible area within which pages are drawn, so that scrolling shows them at once. */
const aheadOfView = '100% 0px';

/** One page. It is drawn while close to the visible area; otherwise its memory is freed. */
function PdfPage({ document, size: usual, number, zoom }: OpenedPdf & { number: number; zoom: number }) {
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
      {failedAt === zoom && <p className={styles.failed}>{t`Could not show this page`}</p>}
      {failedAt !== zoom && isNear && (
        <PageCanvas key={zoom} document={document} number={number} scale={scale} onSize={setSize} onFail={onFail} />
      )}
    </div>
  );
}

type CanvasProps = {
  document: PDFDocumentProxy;
  number: number;
  /** Pixels per point. */
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
        // Frees the pixels at once, because some browsers keep those of a removed canvas.
        canvas.width = 0;
        canvas.height = 0;
      };
    },
    [document, number, scale, onSize, onFail],
  );
  return <canvas ref={draw} className={styles.drawing} role="img" aria-label={t`Page ${number}`} />;
}
