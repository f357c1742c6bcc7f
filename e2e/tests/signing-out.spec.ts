import { account } from '@radwork/contract/identity/accounts';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume } from '@radwork/phantom/studies';
import { expect, type Page, test } from '@playwright/test';
import { callAs } from '../src/api-steps.ts';
import { readCanvas, signInByHand } from '../src/steps.ts';
import { openViewer, upload } from '../src/viewer-steps.ts';

const patient = {
  PatientName: 'Leaving^Lena',
  PatientID: 'E2E-LV',
  PatientBirthDate: '19610203',
  PatientSex: 'F',
} as const;

/** A frame in the browser cache: its path, and the request headers on which the cached response depends. */
type Fetched = { path: string; headers: Record<string, string> };

/** Opens a study in the viewer, and returns one of the fetched frames. */
const lookAt = async (page: Page, seed: string): Promise<Fetched> => {
  const [file, ...others] = ctVolume({
    seed,
    patient,
    studyDate: '20261112',
    accessionNumber: 'E2E-LV',
    slices: 3,
    size: 128,
  });
  if (!file) throw new Error('The phantom made no files');
  await upload(page, [file, ...others]);
  const arrived = page.waitForResponse((response) => response.url().endsWith('/frames/1') && response.ok());
  await openViewer(page, readHeader(file.bytes).studyInstanceUID);
  const frame = await arrived;
  await readCanvas(page);
  const sent = await frame.request().allHeaders();
  const depends = ['accept', 'authorization', 'x-tenantid', 'x-series'].flatMap((name) =>
    sent[name] ? [[name, sent[name]]] : [],
  );
  return { path: new URL(frame.url()).pathname, headers: Object.fromEntries(depends) };
};

/** Checks whether a holder of the token can still read the frame from the browser cache, without the server. */
const isKept = (page: Page, { path, headers }: Fetched): Promise<boolean> =>
  page.evaluate(
    ([address, sent]) =>
      fetch(address, { cache: 'only-if-cached', mode: 'same-origin', headers: sent }).then(
        ({ ok }) => ok,
        () => false,
      ),
    [path, headers] as const,
  );

const signOut = async (page: Page) => {
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /Account of/ }).click();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
};

test('viewed images leave the browser cache when the session ends, by the user or otherwise', async ({ page }) => {
  await test.step('images leave the cache when the user signs out', async () => {
    await signInByHand(page, 'radiologist');
    const frame = await lookAt(page, 'they sign out');
    expect(await isKept(page, frame)).toBe(true);

    await signOut(page);

    await expect.poll(() => isKept(page, frame)).toBe(false);
  });

  await test.step('images leave the cache when the session is ended elsewhere', async () => {
    await signInByHand(page, 'radiologist');
    const frame = await lookAt(page, 'ended elsewhere');
    await callAs(page, account.endSessions, { body: { which: 'ALL' } });
    expect(await isKept(page, frame)).toBe(true);

    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();

    await expect.poll(() => isKept(page, frame)).toBe(false);
  });

  await test.step('images leave the cache even if the server cannot be reached at sign-out', async () => {
    await signInByHand(page, 'radiologist');
    const frame = await lookAt(page, 'while it is away');
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Logout' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(await isKept(page, frame)).toBe(true);

    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();

    await expect.poll(() => isKept(page, frame)).toBe(false);
  });
});
