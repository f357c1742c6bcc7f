import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { sessions, type SignedIn } from '@radwork/contract/identity/sessions';

export const password = process.env.E2E_PASSWORD ?? '';

/** Sessions shared by the journeys of this worker, by username. */
const shared = new Map<string, SignedIn>();

/** Calls the server before the page has a session; undefined for 401. */
const postJson = async (page: Page, path: string, body: object): Promise<SignedIn | undefined> => {
  const response = await page.request.post(`/api${path}`, { data: body });
  if (response.status() === 401) return undefined;
  const { code, message, data }: { code: number; message: string; data: SignedIn } = await response.json();
  expect(code, `POST ${path}: ${message}`).toBe(200);
  return data;
};

/** Returns the shared session of a demo user. If a journey has ended this session, returns a new session. */
const sharedSession = async (page: Page, username: string): Promise<SignedIn> => {
  const last = shared.get(username);
  const session =
    (last && (await postJson(page, sessions.validate.path, { token: last.token }))) ??
    (await postJson(page, sessions.login.path, { username, password }));
  if (!session) throw new Error(`The server does not let ${username} in`);
  shared.set(username, session);
  return session;
};

/** An empty page on the application's origin. It is never requested from the server. */
const emptyPage = '/empty-page-of-a-journey';

/**
 * Signs in a demo user with the worker's shared session and opens a path. Without a path, an empty page stays open for
 * preparing data: loading the application takes two seconds. Journeys that sign out or end sessions use signInByHand.
 */
export const signIn = async (page: Page, username: string, path?: string) => {
  const { token, user, tenant, roles } = await sharedSession(page, username);
  await page.route(`**${emptyPage}`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(emptyPage);
  // A page with a route disables the browser cache.
  await page.unroute(`**${emptyPage}`);
  // The session is set once and not on each load, so that a signed-out journey stays signed out.
  await page.evaluate(
    (texts) => {
      for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
    },
    { token, user: JSON.stringify(user), tenant: JSON.stringify(tenant), roles: JSON.stringify(roles) },
  );
  if (path !== undefined) await page.goto(path);
};

/** Signs in through the screen, as a demo user or with the given password. */
export const signInByHand = async (page: Page, username: string, theirPassword = password) => {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(theirPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
};

/** Collects errors and warnings of the browser. A journey must end with none. */
export const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  return complaints;
};

/**
 * Removes the warnings that the imaging library writes for each slice when a journey leaves while a volume is loading.
 */
export const besidesLeaving = (complaints: readonly string[]): string[] =>
  complaints.filter((complaint) => !complaint.includes('volume load cancelled'));

/** Collects violations of the content security policy on the next pages, one line each. */
export const stoppedByPolicy = async (page: Page): Promise<string[]> => {
  const stopped: string[] = [];
  await page.exposeFunction('tellStopped', (line: string) => stopped.push(line));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, sample }) => {
      const { tellStopped } = window as unknown as { tellStopped: (line: string) => void };
      tellStopped(`${effectiveDirective}: ${blockedURI} ${sample} in ${sourceFile}`);
    });
  });
  return stopped;
};

/** Violations of WCAG 2.2 A and AA that axe finds on the page or a part of it, one line per rule. */
export const violations = async (page: Page, part = 'body'): Promise<string[]> => {
  await atRest(page);
  // Loading the rules takes as long as applying them, so they are loaded once per page load.
  const isThere = await page.evaluate(() => 'axe' in window);
  // Without legacy mode, axe loads a second page with the rules, for frames of other origins. We have none.
  const { violations: axeViolations } = await new AxeBuilder({ page, ...(isThere && { axeSource: 'void 0' }) })
    .setLegacyMode()
    // Otherwise axe also describes all passed elements, which doubles the time.
    .options({ resultTypes: ['violations'] })
    .include(part)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return axeViolations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};

/** Waits until all animations have ended, since they mix colors with the background. */
const atRest = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() =>
        document
          .getAnimations()
          .some(({ effect, playState }) => playState === 'running' && effect?.getComputedTiming().endTime !== Infinity),
      ),
    )
    .toBe(false);

/**
 * Lets failed calls succeed after the click on Retry, but not before. Pages also retry automatically, which would
 * remove the button before the click. Such an automatic call waits at most a second for the click, because the button
 * may not exist while the call waits.
 */
export const retryAndSucceed = async (page: Page, calls: string | RegExp, within: Page | Locator = page) => {
  const pressed = Promise.withResolvers<boolean>();
  // The newest route runs first. Before the click, it passes each call to the failing route.
  await page.route(calls, async (route) => {
    const isPressed = await Promise.race([pressed.promise, page.waitForTimeout(1000)]);
    await (isPressed ? route.continue() : route.fallback());
  });
  await within.getByRole('button', { name: 'Retry' }).click();
  pressed.resolve(true);
};

/** Canvases of the imaging library. */
const ofLibrary = 'canvas.cornerstone-canvas';

/**
 * Reads the pixels of a visible canvas, once two readings agree and its size matches its element. An enlarged viewport
 * gets its new canvas only after a moment.
 */
export const readCanvas = async (page: Page, within: Page | Locator = page, canvases = ofLibrary) => {
  const until = Date.now() + 15_000;
  while (Date.now() < until) {
    // Compares inside the page, since transferring 5 MB per reading would take longer.
    const reading = await within
      .locator(canvases)
      .first()
      .evaluate(async (canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return undefined;
        const isOfLibrary = canvas.classList.contains('cornerstone-canvas');
        const read = () => {
          if (isOfLibrary && Math.abs(canvas.width - canvas.clientWidth * devicePixelRatio) > 1) return undefined;
          // Chromium warns about frequent reads from a canvas not created for it, so a copy is read.
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true });
          copy?.drawImage(canvas, 0, 0);
          return copy?.getImageData(0, 0, canvas.width, canvas.height);
        };
        let last = read();
        for (let look = 0; look < 20 && canvas.isConnected; look++) {
          await new Promise((resolve) => setTimeout(resolve, 200));
          const now = read();
          const [one, other] = [last, now].map((image) => image && new Uint32Array(image.data.buffer));
          if (now && one && other && one.length === other.length && one.every((pixel, at) => pixel === other[at])) {
            let binary = '';
            for (let i = 0; i < now.data.length; i += 32_768)
              binary += String.fromCharCode(...now.data.subarray(i, i + 32_768));
            return { width: now.width, height: now.height, base64: btoa(binary) };
          }
          last = now;
        }
        return undefined;
      });
    if (reading) return { ...reading, rgba: Buffer.from(reading.base64, 'base64') };
    await page.waitForTimeout(200);
  }
  throw new Error('The canvas never settled');
};
