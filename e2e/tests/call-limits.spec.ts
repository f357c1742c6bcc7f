import { archive } from '@radwork/contract/imaging/archive';
import { notifications } from '@radwork/contract/identity/notifications';
import { studies } from '@radwork/contract/imaging/studies';
import { expect, type Page, test } from '@playwright/test';
import { signInByHand } from '../src/steps.ts';

// The server of these journeys has its default limits.

/** Sends a request many times as the signed-in user, 20 at once. Returns the number of replies by status. */
const askOften = (page: Page, path: string, times: number): Promise<Record<number, number>> =>
  page.evaluate(
    async ({ url, count }) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` };
      const statuses: Record<number, number> = {};
      let remaining = count;
      const askOn = async () => {
        while (remaining > 0) {
          remaining -= 1;
          const answer = await fetch(url, { headers, cache: 'no-store' });
          await answer.arrayBuffer();
          statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        }
      };
      await Promise.all(Array.from({ length: 20 }, askOn));
      return statuses;
    },
    { url: path, count: times },
  );

type Instance = Record<string, { Value: string[] } | undefined>;

const pathOfFrame = (page: Page): Promise<string> =>
  page.evaluate(
    async ({ search, frames }) => {
      const headers = { authorization: `Bearer ${localStorage.getItem('token')}` };
      const [instance]: Instance[] = await (await fetch(`${search}?limit=1&modality=CT`, { headers })).json();
      const uid = (tag: string) => instance?.[tag]?.Value[0] ?? '';
      return frames
        .replace(':studyUid', uid('0020000D'))
        .replace(':seriesUid', uid('0020000E'))
        .replace(':instanceUid', uid('00080018'))
        .replace(':frames', '1');
    },
    { search: `/api/qido-rs${archive.searchInstances.path}`, frames: `/api/wado-rs${archive.frames.path}` },
  );

test('a reader can load 3000 images without being slowed down', async ({ page }) => {
  await signInByHand(page, 'radiologist');
  const frame = await pathOfFrame(page);

  expect(await askOften(page, frame, 3000)).toEqual({ 200: 3000 });
  expect(await askOften(page, `/api${notifications.list.path}`, 20)).toEqual({ 200: 20 });
});

test('a page that exceeds the limit of calls shows a message and then loads the rest automatically', async ({
  page,
}) => {
  await signInByHand(page, 'radiologist');
  const statuses = await askOften(page, `/api${notifications.list.path}`, 1500);
  let refusedCount = 0;
  page.on('response', (response) => {
    if (response.status() === 429 && response.url().includes(`/api${studies.search.path}`)) refusedCount += 1;
  });
  // The journey may be too slow to exceed the limit here, so the first call is answered with 429.
  await page.route(
    (url) => url.pathname === `/api${studies.search.path}`,
    (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '1' },
        json: { code: 429, error: 'request.too_many', message: 'Too many calls. Try again in a second.', traceId: '1' },
      }),
    { times: 1 },
  );

  await page.goto('/studies');

  await expect(page.getByText(/Too many requests\./)).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  expect(refusedCount).toBeGreaterThan(0);
  expect(statuses[429]).toBeGreaterThan(0);
  expect(statuses[200]).toBeGreaterThanOrEqual(600);
});

test('an image refused by the limit of calls is loaded later automatically', async ({ page }) => {
  await signInByHand(page, 'radiologist');
  const frame = await pathOfFrame(page);
  const [, studyUid = ''] = /studies\/([\d.]+)\//.exec(frame) ?? [];
  const tries = new Map<string, number>();
  await page.route(/\/frames\/\d+/, (route) => {
    const path = new URL(route.request().url()).pathname;
    const before = tries.get(path) ?? 0;
    tries.set(path, before + 1);
    if (before > 0) return route.continue();
    return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '' });
  });

  await page.goto(`/viewer/${studyUid}`);

  await expect(page.getByTestId('image-number').first()).toBeVisible();
  await expect(page.getByText(/Too many requests\./)).toBeVisible();
  await expect(page.getByText('could not be shown')).toHaveCount(0);
});
