import { expect, type Page, test } from '@playwright/test';
import { hangingRules } from '@radwork/contract/reading/hanging-rules';
import { callAs } from '../src/api-steps.ts';
import { smallStack, studyUidOf } from '../src/small-stacks.ts';
import { imageNumber, pane, store } from '../src/stack-steps.ts';
import { complaintsOf, signIn, violations } from '../src/steps.ts';

const [first, next] = ['rules first', 'rules next'];

/** Series with the cosines of their rows and columns. The description of the last one does not name its plane. */
const orientations: readonly [name: string, orientation: readonly number[]][] = [
  ['T1 sagittal', [0, 1, 0, 0, 0, -1]],
  ['T2 axial', [1, 0, 0, 0, 1, 0]],
  ['FLAIR', [1, 0, 0, 0, 0, -1]],
];

const seriesOf = (study: string) =>
  orientations.flatMap(([name, orientation], at) =>
    smallStack(study, name, 3, () => ({
      elements: {
        PatientID: `E2E-${study}`,
        PatientName: 'Rules^Rosa',
        Modality: 'MR',
        BodyPartExamined: 'KNEE',
        SeriesNumber: at + 1,
        ImageOrientationPatient: [...orientation],
        FrameOfReferenceUID: undefined,
      },
    })),
  );

/** Opens a study and expects the series of its viewports in order. */
const expectHung = async (page: Page, study: string, series: readonly string[]) => {
  await page.goto(`/viewer/${studyUidOf(study)}`);
  await expect(imageNumber(page)).toHaveCount(series.length);
  for (const [at, name] of series.entries()) {
    await expect(pane(page, `Viewport ${at + 1}`).getByText(name)).toBeVisible();
  }
};

const openMenu = (page: Page) => page.getByRole('button', { name: 'Layout', exact: true }).click();

test('a rule edited on the screen changes the next hanging of its reader, and of no other user', async ({ page }) => {
  const complaints = complaintsOf(page);
  await store(page, [...seriesOf(first), ...seriesOf(next)]);
  const builtIn = orientations.map(([name]) => name);
  await expectHung(page, first, builtIn);

  await test.step('the layout menu leads to the rules, and a new rule hangs the next study', async () => {
    await openMenu(page);
    await page.getByRole('menuitem', { name: 'Hanging rules' }).click();
    await expect(page.getByText('No own rules')).toBeVisible();
    await page.getByRole('button', { name: 'Create rule' }).click();
    const form = page.getByRole('dialog', { name: 'Create rule' });
    await form.getByLabel('Modality').selectOption('MR');
    await form.getByLabel('Body part').selectOption('knee');
    await form.getByLabel('Layout without the prior').selectOption('1 row, 2 columns');
    await form.getByLabel('Link scrolling').selectOption('Linked scrolling off');
    await form.getByLabel('Tool of the left mouse button').selectOption('Length');
    const one = form.getByRole('group', { name: 'Viewport 1' });
    await one.getByLabel('Plane').selectOption('Coronal');
    await form.getByRole('group', { name: 'Viewport 2' }).getByLabel('Shows').selectOption('T2');
    expect(await violations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create rule' }).click();
    await expect(page.getByRole('button', { name: 'Edit MR knee' })).toBeVisible();

    await expectHung(page, next, ['FLAIR', 'T2 axial']);
    await expect(page.getByRole('button', { name: 'Length', exact: true })).toHaveAttribute('aria-pressed', 'true');
    await expect(page.getByRole('button', { name: 'Link scrolling' })).toHaveAttribute('aria-pressed', 'false');
  });

  await test.step('the menu names the rule and opens it; a change of it hangs the next study', async () => {
    await openMenu(page);
    await expect(page.getByText('Hung by: MR knee, own rule')).toBeVisible();
    await page.getByRole('menuitem', { name: 'Open this hanging rule' }).click();
    const form = page.getByRole('dialog', { name: 'MR knee' });
    await form.getByLabel('Layout without the prior').selectOption('2 rows, 1 column');
    await form.getByRole('group', { name: 'Viewport 1' }).getByLabel('Plane').selectOption('Any plane');
    await form.getByRole('group', { name: 'Viewport 1' }).getByLabel('Words of the series description').fill('SAG t1');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('2 rows, 1 column', { exact: false })).toBeVisible();

    await expectHung(page, first, ['T1 sagittal', 'T2 axial']);
    const [above, below] = [await pane(page, 'Viewport 1').boundingBox(), await pane(page, 'Viewport 2').boundingBox()];
    expect(above?.x).toBe(below?.x);
    expect(below?.y).toBeGreaterThan(above?.y ?? Infinity);
  });

  await test.step('another user has the built-in hanging', async () => {
    await signIn(page, 'admin');
    await expectHung(page, next, builtIn);
  });

  await signIn(page, 'radiologist');
  for (const { id } of await callAs(page, hangingRules.list, {})) {
    await callAs(page, hangingRules.remove, { params: { id } });
  }
  expect(complaints).toEqual([]);
});
