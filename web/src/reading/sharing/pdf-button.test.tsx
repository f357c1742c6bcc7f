import { portal } from '@radwork/contract/reading/portal';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { eventually } from '#test/eventually.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { PdfButton } from './pdf-button.tsx';

const press = async () => userEvent.click(await screen.findByRole('button', { name: 'PDF' }));

/** Records name and size of each downloaded file. */
const savedFiles = () => {
  const saved: string[] = [];
  let size = 0;
  const createObjectURL = (content: Blob) => {
    size = content.size;
    return 'blob:x';
  };
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL, revokeObjectURL: () => {} }));
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(`${this.download} ${size}`);
  });
  return saved;
};

test('a shared report is downloaded, and the request body contains the opening code', async () => {
  const saved = savedFiles();
  const calls = serve(answer(portal.pdf, () => ({ fileName: 'report-A1.pdf', pdf: btoa('%PDF-1.7') })));
  show(<PdfButton hash="h4sh" code="1961-04-30" />);

  await press();

  await eventually(() => expect(saved).toEqual(['report-A1.pdf 8']));
  const sent = calls.find(({ method }) => method === 'POST');
  expect(sent?.url.href).toMatch(/\/api\/portal\/report\/h4sh\/pdf$/);
  expect(sent?.body).toEqual({ code: '1961-04-30' });
  expect(sent?.headers.get('authorization')).toBeNull();
});

test('a link that no longer opens gives no reason', async () => {
  const saved = savedFiles();
  serve(refuse(portal.pdf, 404, 'Report not found'));
  show(<PdfButton hash="h4sh" code={undefined} />);

  await press();

  expect(await screen.findByText('This link is no longer valid')).toBeDefined();
  expect(saved).toEqual([]);
});

test('a PDF that was not ready in time can be requested again', async () => {
  const saved = savedFiles();
  const busy = refuse(portal.pdf, 503, 'Creating the PDF took too long.', { headers: { 'retry-after': '1' } });
  const ready = answer(portal.pdf, () => ({ fileName: 'report-A1.pdf', pdf: btoa('%PDF-1.7') }));
  let tries = 0;
  serve({ ...ready, reply: (sent) => (++tries === 1 ? busy : ready).reply(sent) });
  show(<PdfButton hash="h4sh" code={undefined} />);

  await press();

  await eventually(() => expect(saved).toEqual(['report-A1.pdf 8']));
  expect(tries).toBe(2);
});
