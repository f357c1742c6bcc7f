import { expect, type Page, test } from '@playwright/test';
import { registerStudy } from '../src/api-steps.ts';
import { complaintsOf, signIn, signInByHand, stoppedByPolicy } from '../src/steps.ts';

/** Tries every known way to turn text into HTML, a script or a worker. Returns the ways that were not blocked. */
const passedBy = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    // Waits for a timer. Code from a debugger may compile text, but code from a timer of the page may not.
    await new Promise((resolve) => setTimeout(resolve));
    const hostile = '<img src="x" onerror="window.__xss = true">';
    const script = 'data:text/javascript,window.__xss=true';
    const element = () => document.body.appendChild(document.createElement('div'));
    type Factory = { createPolicy: (name: string, rules: object) => unknown };
    const { trustedTypes } = window as unknown as { trustedTypes: Factory };
    const sinks: Record<string, () => unknown> = {
      innerHTML: () => (element().innerHTML = hostile),
      outerHTML: () => (element().outerHTML = hostile),
      insertAdjacentHTML: () => element().insertAdjacentHTML('beforeend', hostile),
      createContextualFragment: () => document.createRange().createContextualFragment(hostile),
      parseFromString: () => new DOMParser().parseFromString(hostile, 'text/html'),
      write: () => document.write(hostile),
      srcdoc: () => (document.createElement('iframe').srcdoc = hostile),
      'src of a script': () => (document.createElement('script').src = script),
      'text of a script': () => (document.createElement('script').text = 'window.__xss = true'),
      'an event handler': () => element().setAttribute('onclick', 'window.__xss = true'),
      Worker: () => new Worker('/assets/no-eval.js'),
      SharedWorker: () => new SharedWorker('/assets/no-eval.js'),
      // oxlint-disable-next-line no-eval
      eval: () => globalThis.eval('window.__xss = true'),
      // oxlint-disable-next-line typescript/no-implied-eval
      Function: () => new Function('window.__xss = true'),
      ...Object.fromEntries(
        ['default', 'somebody-else', 'radwork-worker '].map((name) => [
          `a policy "${name}"`,
          () => trustedTypes.createPolicy(name, { createHTML: (html: string) => html }),
        ]),
      ),
    };
    return Object.entries(sinks).flatMap(([name, way]) => {
      try {
        way();
        return [name];
      } catch {
        return [];
      }
    });
  });

test('no text becomes HTML, a script or a worker, before and after sign-in and in a shared report', async ({
  page,
}) => {
  for (const path of ['/login', '/portal/report/nothing', '/dashboard', '/studies']) {
    if (path === '/dashboard') await signInByHand(page, 'radiologist');
    await page.goto(path);
    await expect(page.locator('h1, [role=heading]').first(), path).toBeVisible();
    expect.soft(await passedBy(page), path).toEqual([]);
    expect(await page.evaluate(() => '__xss' in window)).toBe(false);
  }
});

test('a page without the Trusted Types policy would accept text as HTML', async ({ page }) => {
  await page.route('**/login', async (route) => {
    const answer = await route.fetch();
    const headers = answer.headers();
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("; require-trusted-types-for 'script'; trusted-types ");
    const without = policy.replace(/; require-trusted-types-for .*/, '');
    await route.fulfill({ response: answer, headers: { ...headers, 'content-security-policy': without } });
  });
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();

  expect(await passedBy(page)).toEqual(expect.arrayContaining(['innerHTML', 'src of a script', 'Worker']));
});

test('the test detects text as HTML that the browser blocks', async ({ page }) => {
  const [stopped, complaints] = [await stoppedByPolicy(page), complaintsOf(page)];
  await page.goto('/login');
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect([...stopped, ...complaints]).toEqual([]);

  await page.evaluate(() => {
    try {
      document.body.innerHTML = 'planted';
    } catch {}
  });

  await expect.poll(() => stopped).toEqual([expect.stringContaining('require-trusted-types-for')]);
  expect(complaints).toEqual([expect.stringContaining("requires 'TrustedHTML' assignment")]);
});

/** Clipboard content of other programs: bold text, a table, an external image, and attacks. */
const pasted =
  '<html><body><p>Seen <b>twice</b> <a href="javascript:window.__xss=1">here</a></p>' +
  '<table><tr><td>12 mm</td></tr></table><img src="x"><script>window.__xss = true</script></body></html>';

test('pasted content is parsed and a report is printed on its own page, both without violations', async ({ page }) => {
  const [stopped, complaints] = [await stoppedByPolicy(page), complaintsOf(page)];
  // Replaces printing, because test machines have no printer. This also applies to the printed frame.
  await page.addInitScript(() => {
    window.print = () => undefined;
  });
  await signIn(page, 'radiologist');
  const { id } = await registerStudy(page, { name: 'Trusted, Tessa', patientId: 'E2E-TRUSTED' });
  await page.goto(`/studies/${id}`);
  await page.getByRole('button', { name: 'Create report' }).click();
  const text = page.getByRole('textbox', { name: 'Report text' });
  await text.click();
  await text.evaluate((element, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pasted);
  await expect(text.locator('strong')).toHaveText('twice');
  await expect(text.locator('td')).toHaveText('12 mm');
  await expect(text.locator('img:not(.ProseMirror-separator), script, a')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save as draft' }).click();
  await expect(page.getByText('Report created successfully')).toBeVisible();

  await page.getByRole('button', { name: 'Print' }).click();

  const sheet = page.frameLocator('iframe[aria-hidden=true]');
  await expect(sheet.locator('.facts')).toContainText('Trusted, Tessa');
  await expect(sheet.locator('.draft')).toHaveText('Draft: not a signed report');
  await expect(sheet.locator('strong')).toHaveText('twice');
  const looks = await sheet
    .locator('body')
    .evaluate((body) => [document.compatMode, getComputedStyle(body).fontFamily]);
  expect(looks).toEqual(['CSS1Compat', expect.stringContaining('Times New Roman')]);
  expect(await page.evaluate(() => '__xss' in window)).toBe(false);
  expect([...stopped, ...complaints]).toEqual([]);
});
