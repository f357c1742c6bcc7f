import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { show } from '#test/screen.tsx';
import { PdfPages } from './pdf-pages.tsx';

// Mocks pdf.js, because jsdom has neither workers nor a canvas.
const library = vi.hoisted(() => ({
  opened: [] as { options: { maxImageSize?: number }; isDestroyed: boolean }[],
  drawn: [] as number[],
  broken: new Set<number>(),
  isSlow: false,
}));
vi.mock('pdfjs-dist', () => {
  const pageOf = (number: number) => ({
    getViewport: ({ scale }: { scale: number }) => ({ width: 20_000 * scale, height: 10_000 * scale }),
    render: () => {
      library.drawn.push(number);
      if (library.isSlow) return { promise: new Promise(() => {}), cancel: () => {} };
      const promise = library.broken.has(number) ? Promise.reject(new Error('broken')) : Promise.resolve();
      return { promise, cancel: () => {} };
    },
  });
  const getDocument = (options: object) => {
    const one = { options, isDestroyed: false };
    library.opened.push(one);
    return {
      promise: Promise.resolve({
        numPages: 3,
        getPage: async (number: number) => pageOf(number),
      } as never as PDFDocumentProxy),
      destroy: async () => {
        one.isDestroyed = true;
      },
    };
  };
  return { getDocument, PDFWorker: { create: () => ({}) } };
});

type Callback = (entries: { isIntersecting: boolean }[]) => void;
let places: Callback[] = [];

beforeEach(() => {
  places = [];
  library.opened.length = 0;
  library.drawn.length = 0;
  library.broken.clear();
  library.isSlow = false;
  vi.stubGlobal('Worker', class {});
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: Callback) {
        places.push(callback);
      }
      observe() {}
      disconnect() {}
    },
  );
});
afterEach(() => vi.unstubAllGlobals());

const letter = { arrayBuffer: async () => new ArrayBuffer(8) } as Blob;

const showPages = async () => {
  const rendered = show(<PdfPages bytes={letter} name="Letter" />);
  await screen.findByRole('region', { name: 'Letter' });
  return rendered;
};
const setVisibility = (number: number, isIntersecting: boolean) =>
  act(async () => places[number - 1]?.([{ isIntersecting }]));

test('leaving a PDF document destroys it and frees the memory of its worker', async () => {
  const { unmount } = await showPages();
  expect(library.opened).toMatchObject([{ isDestroyed: false, options: { maxImageSize: 100_000_000 } }]);

  unmount();

  expect(library.opened).toMatchObject([{ isDestroyed: true }]);
});

test('only visible pages of a PDF are drawn, within the pixel limit, and freed when hidden', async () => {
  await showPages();
  expect(screen.queryByRole('img')).toBeNull();

  await setVisibility(2, true);

  const page = await screen.findByRole<HTMLCanvasElement>('img', { name: 'Page 2' });
  await eventually(() => expect(page.dataset['drawn']).toBe('true'));
  expect(library.drawn).toEqual([2]);
  expect(page.width * page.height).toBeLessThanOrEqual(16_000_000);
  expect(page.width).toBeGreaterThan(5_000);
  await setVisibility(2, false);
  expect(screen.queryByRole('img')).toBeNull();
  expect([page.width, page.dataset['drawn']]).toEqual([0, undefined]);
});

test('a page of a PDF that fails shows an error, and the other pages are drawn', async () => {
  library.broken.add(1);
  await showPages();

  await setVisibility(1, true);
  await setVisibility(2, true);

  expect(await screen.findByText('Could not show this page')).toBeDefined();
  expect(screen.getAllByRole('img')).toHaveLength(1);
});

function Zoomed({ bytes }: { bytes: Blob }) {
  const [zoom, setZoom] = useState(1);
  return (
    <>
      <button type="button" onClick={() => setZoom(2)}>
        Larger
      </button>
      <PdfPages bytes={bytes} name="Letter" zoom={zoom} />
    </>
  );
}

test('a page that is drawn again is marked as drawn only when the drawing is complete', async () => {
  show(<Zoomed bytes={letter} />);
  await screen.findByRole('region', { name: 'Letter' });
  await setVisibility(1, true);
  const drawnState = () => screen.getByRole('img', { name: 'Page 1' }).dataset['drawn'];
  await eventually(() => expect(drawnState()).toBe('true'));
  library.isSlow = true;

  await userEvent.click(screen.getByRole('button', { name: 'Larger' }));

  await eventually(() => expect(library.drawn).toEqual([1, 1]));
  expect(drawnState()).toBeUndefined();
});
