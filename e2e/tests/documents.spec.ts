import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { files, openStudy, options, pane, strip, studyUid, truth } from '../src/documents-study.ts';
import { besidesLeaving, complaintsOf, violations } from '../src/steps.ts';

/** Share of a rendered page that has a color, from 0 to 1. */
const shareOf = (page: Page, red: number, green: number, blue: number): Promise<number> =>
  pane(page, 1)
    .getByRole('img', { name: 'Page 1' })
    .evaluate(
      (canvas: HTMLCanvasElement, color) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        let matching = 0;
        for (let at = 0; at < data.length; at += 4) {
          if (color.every((value, sample) => Math.abs((data[at + sample] ?? -99) - value) < 8)) matching += 1;
        }
        return matching / (data.length / 4);
      },
      [red, green, blue],
    );

test('PDFs and structured reports of the study open in a viewport, with links to their images, also from planes', async ({
  page,
}) => {
  test.setTimeout(240_000);
  const complaints = complaintsOf(page);
  await openStudy(page);

  await test.step('a user reads a PDF with the keyboard and downloads it', async () => {
    await strip(page)
      .getByRole('button', { name: new RegExp(truth.pdf.title) })
      .click();
    await expect(pane(page, 1).getByRole('heading', { name: truth.pdf.title })).toBeVisible();
    await expect(pane(page, 1).locator('canvas[data-drawn]')).toBeVisible();
    // A bar of 340 by 200 points on a page of 420 by 595, as in the file.
    expect(await shareOf(page, 255, 0, 0)).toBeCloseTo((340 * 200) / (420 * 595), 1);
    await expect(pane(page, 1).getByRole('region', { name: truth.pdf.title })).toBeFocused();
    expect(await violations(page, '[data-document]')).toEqual([]);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      pane(page, 1).getByRole('button', { name: 'Download document' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${truth.pdf.title}.pdf`);
    const downloaded = readFileSync(await download.path());
    const stored = files.find(({ name }) => name.startsWith('DOC'))?.bytes ?? Buffer.alloc(0);
    expect(downloaded.toString('latin1')).toMatch(/^%PDF-1\.4[\s\S]*%%EOF\n$/);
    expect(stored.includes(downloaded)).toBe(true);

    await pane(page, 1).getByRole('region', { name: truth.pdf.title }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByTestId('image-number')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(pane(page, 1).getByRole('heading', { name: truth.pdf.title })).toBeVisible();
  });

  await test.step('links in a structured report open the image next to the report', async () => {
    const { title, diameter, on } = truth.report;

    await strip(page)
      .getByRole('button', { name: new RegExp(title) })
      .click();
    const report = pane(page, 1).getByRole('region', { name: title });
    await expect(report.getByText(`${diameter} mm`)).toBeVisible();
    await expect(report.getByText('Not verified')).toBeVisible();
    expect(await violations(page, '[data-document]')).toEqual([]);
    await report.getByRole('button', { name: `Series 1 · Image ${on.image}` }).click();

    await expect(report).toBeVisible();
    await expect(pane(page, 2).getByTestId('image-number')).toHaveText(`${on.image} / ${options.slices}`);

    const [first = 0, second = 0] = truth.keyImages.images;
    await strip(page)
      .getByRole('button', { name: new RegExp(truth.keyImages.title) })
      .click();
    await expect(pane(page, 2).getByText(truth.keyImages.words)).toBeVisible();
    await pane(page, 2)
      .getByRole('button', { name: `Series 1 · Image ${first}`, exact: true })
      .click();
    await expect(pane(page, 1).getByTestId('image-number')).toHaveText(`${first} / ${options.slices}`);
    await pane(page, 2)
      .getByRole('button', { name: `Series 1 · Image ${second}`, exact: true })
      .focus();
    await page.keyboard.press('Enter');
    await expect(pane(page, 1).getByTestId('image-number')).toHaveText(`${second} / ${options.slices}`);
  });

  expect(complaints).toEqual([]);

  await test.step('the planes viewer opens a structured report in the standard viewer', async () => {
    await page.goto(`/mpr/${studyUid}`);

    await strip(page)
      .getByRole('button', { name: /Structured report: in the standard viewer/ })
      .first()
      .click();

    await expect(pane(page, 1).getByRole('region', { name: truth.report.title })).toBeVisible();
    expect(new URL(page.url()).pathname).toMatch(/^\/viewer\//);
  });
  expect(besidesLeaving(complaints)).toEqual([]);
});
