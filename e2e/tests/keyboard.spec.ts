import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { readHeader } from '@radwork/dicom/header';
import { ctVolume, petCt } from '@radwork/phantom/studies';
import { fusionIsThere, pane, planesAreThere } from '../src/stack-steps.ts';
import { complaintsOf, password, signIn } from '../src/steps.ts';
import { measurements, openViewer, upload } from '../src/viewer-steps.ts';

/** Presses Tab until an element has the focus. */
const tabTo = async (page: Page, target: Locator) => {
  await expect(target).toBeVisible();
  const isThere = () => target.evaluate((element) => element === document.activeElement);
  for (let press = 0; press < 60 && !(await isThere()); press += 1) await page.keyboard.press('Tab');
  await expect(target).toBeFocused();
};

/** Opens the first result of the palette for a search text. */
const goByPalette = async (page: Page, words: string, first: string) => {
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog', { name: 'Search and commands' });
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type(words);
  await expect(palette.getByRole('option', { selected: true })).toContainText(first);
  await page.keyboard.press('Enter');
  await expect(palette).toBeHidden();
};

const addUser = async (page: Page, username: string) => {
  const drawer = page.getByRole('dialog', { name: 'Create user' });
  await page.keyboard.press('n');
  await expect(drawer.getByLabel('Username')).toBeFocused();
  await page.keyboard.type(username);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Kay Keyboard');
  await page.keyboard.press('Tab');
  await page.keyboard.type('MD');
  await page.keyboard.press('Tab');
  await page.keyboard.type(`${username}@example.org`);
  await tabTo(page, drawer.getByRole('checkbox', { name: 'Radiologist' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(drawer.getByText('Choose at least one role')).toBeVisible();
  await tabTo(page, drawer.getByRole('checkbox', { name: 'Radiologist' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const invitation = page.getByRole('dialog', { name: 'Invitation' });
  await expect(invitation.getByRole('button', { name: 'Copy link' })).toBeFocused();
  await page.keyboard.press('Escape');
  // A dialog receives the keys until it has disappeared.
  await expect(page.locator('[aria-modal=true]')).toHaveCount(0);
};

const writeGuideline = async (page: Page, title: string) => {
  const form = page.getByRole('dialog', { name: 'Create Guideline' });
  await tabTo(page, page.getByRole('button', { name: 'Create Guideline' }).first());
  await page.keyboard.press('Enter');
  await expect(form.getByLabel('Title')).toBeFocused();
  await page.keyboard.type(title);
  await tabTo(page, form.getByLabel('Author'));
  await page.keyboard.type('Kay Keyboard');
  await tabTo(page, form.getByLabel('Content'));
  await page.keyboard.type('Nothing here needs a mouse.');
  await tabTo(page, form.getByRole('button', { name: 'Create Guideline' }));
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
};

test('an administrator can do all work with the keyboard, from sign-in to sign-out', async ({ page }) => {
  const complaints = complaintsOf(page);
  const mark = randomUUID().slice(0, 8);

  await test.step('the administrator signs in', async () => {
    await page.goto('/login');
    await expect(page.getByLabel('Username')).toBeFocused();
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
  });

  await test.step('the administrator creates a user', async () => {
    await goByPalette(page, 'users man', 'Users Management');
    await expect(page.getByRole('heading', { name: 'Users Management' })).toBeVisible();
    await addUser(page, `key.${mark}`);
    await page.keyboard.press('/');
    await expect(page.getByRole('searchbox', { name: 'Search users' })).toBeFocused();
    await page.keyboard.type(mark);
    await expect(page.getByRole('row', { name: /Kay Keyboard/ })).toHaveCount(1);
    await page.keyboard.press('Escape');
  });

  await test.step('the administrator writes and reads a guideline', async () => {
    await goByPalette(page, 'guidelines', 'Guidelines Management');
    await writeGuideline(page, `Keys ${mark}`);
    await tabTo(page, page.getByRole('button', { name: `View Keys ${mark}` }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: `Keys ${mark}` })).toContainText('Nothing here needs a mouse.');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: `View Keys ${mark}` })).toBeFocused();
  });

  await test.step('the administrator verifies the audit log, which contains both changes', async () => {
    await goByPalette(page, 'audit', 'Audit log');
    await tabTo(page, page.getByRole('button', { name: 'Verify' }));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toContainText(/The audit log is intact\. Entries verified: [\d,]+/);
  });

  await test.step('the administrator signs out', async () => {
    await goByPalette(page, 'sign out', 'Sign out');
    await expect(page).toHaveURL(/\/login/);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.waitForLoadState('networkidle');
  });

  expect(complaints).toEqual([]);
});

const options = {
  patient: { PatientName: 'Key^Kay', PatientID: 'E2E-KEYS', PatientBirthDate: '19610203', PatientSex: 'F' },
  studyDate: '20261112',
  slices: 24,
  size: 96,
} as const;

const stored = async (page: Page, files: readonly { bytes: Buffer }[]): Promise<string> => {
  await upload(page, files);
  if (!files[0]) throw new Error('There are no files');
  return readHeader(files[0].bytes).studyInstanceUID;
};

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key);
};
const times = (count: number, key: string) => Array.from({ length: count }, () => key);

test('a user measures a study with keys alone, using a pointer that keys move', async ({ page }) => {
  test.setTimeout(180_000);
  const mark = randomUUID();
  const complaints = complaintsOf(page);
  await signIn(page, 'radiologist');
  const chest = await stored(page, [...ctVolume({ ...options, seed: `keys ct ${mark}`, accessionNumber: 'KEYS-CT' })]);
  const image = page.getByTestId('image-number');

  await test.step('keys draw a line of 80 pixels, and cancel another line', async () => {
    await openViewer(page, chest);
    await press(page, 'l', "'", ...times(5, 'ArrowLeft'), 'Enter', ...times(10, 'ArrowRight'), 'Enter');
    const line = measurements(pane(page, 'Viewport 1'));
    await expect(line).toHaveText([/^\d+(\.\d+)? mm$/]);
    // The chest is 400 mm wide at any pixel size. The label is polled for two reasons. The first image comes before the
    // viewports have their size, and the label is drawn one frame after the line.
    const ofExpected = async () => {
      const zoom = Number(/\d+/.exec((await page.getByText(/^Zoom \d+%$/).textContent()) ?? '')?.[0]) / 100;
      const expected = (80 / zoom) * (400 / options.size);
      return Math.abs(parseFloat((await line.textContent()) ?? '') / expected - 1);
    };
    await expect.poll(ofExpected).toBeLessThan(0.02);
    await press(page, ...times(9, 'ArrowDown'), 'Enter', ...times(6, 'ArrowRight'), 'Escape');
    await expect(line).toHaveCount(1);
  });

  await test.step('after the pointer is turned off, arrow keys scroll again', async () => {
    await expect(image).toHaveText('1 / 24');
    await press(page, 'ArrowDown');
    await expect(image).toHaveText('2 / 24');
  });

  await test.step('in the planes viewer, keys select another plane and move the crosshairs', async () => {
    await page.goto(`/mpr/${chest}`);
    await planesAreThere(page);
    const crossing = pane(page, 'Sagittal').getByText(/^[LR] [\d.]+ {2}[AP] [\d.]+ {2}[HF] [\d.]+ mm$/);
    const before = await crossing.textContent();
    await press(page, 'Alt+ArrowRight');
    await expect(pane(page, 'Sagittal')).toHaveAttribute('data-current', 'true');
    await press(page, "'", ...times(6, 'ArrowUp'), 'Enter', 'Enter');
    await expect(crossing).not.toHaveText(before ?? '');
    await press(page, 'Escape', 'Alt+ArrowLeft');
    await expect(pane(page, 'Axial')).toHaveAttribute('data-current', 'true');
  });

  await test.step('in the fusion viewer, keys draw a sphere', async () => {
    const files = [...petCt({ ...options, seed: `keys pet ${mark}`, accessionNumber: 'KEYS-PET' })];
    await page.goto(`/petct/${await stored(page, files)}`);
    await fusionIsThere(page);
    await press(page, 'e', "'", 'Enter', ...times(4, 'ArrowRight'), 'Enter');
    await expect(pane(page, 'Fused').locator('circle:not([class])')).toHaveCount(1);
  });

  await test.step('the help lists the key for the pointer', async () => {
    await press(page, 'Escape', '?');
    await expect(page.getByRole('dialog').getByText('Show or hide the keyboard pointer')).toBeVisible();
  });
  expect(complaints).toEqual([]);
});
