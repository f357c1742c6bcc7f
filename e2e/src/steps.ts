import AxeBuilder from '@axe-core/playwright';
import { expect, type Locator, type Page } from '@playwright/test';
import { sessions, type SignedIn } from '@radwork/contract/sessions';

export const password = process.env.E2E_PASSWORD ?? '';

/** Sessions that the journeys of this worker share, by username. */
const shared = new Map<string, SignedIn>();

/** Calls the server before there is a session on the page; undefined where the server refuses. */
const ask = async (page: Page, path: string, body: object): Promise<SignedIn | undefined> => {
  const response = await page.request.post(`/api${path}`, { data: body });
  if (response.status() === 401) return undefined;
  const { code, message, data }: { code: number; message: string; data: SignedIn } = await response.json();
  expect(code, `POST ${path}: ${message}`).toBe(200);
  return data;
};

/** The shared session of a demo user. A journey may have ended the last one: then there is a new one. */
const sharedSession = async (page: Page, username: string): Promise<SignedIn> => {
  const last = shared.get(username);
  const session =
    (last && (await ask(page, sessions.validate.path, { token: last.token }))) ??
    (await ask(page, sessions.login.path, { username, password }));
  if (!session) throw new Error(`The server does not let ${username} in`);
  shared.set(username, session);
  return session;
};

/** A page of the application's origin with nothing on it; no journey asks the server for it. */
const emptyPage = '/empty-page-of-a-journey';

/**
 * Signs a demo user in without the screen, by a session that all journeys of this worker share, and opens a path. Without
 * a path it leaves an empty page, from which a journey prepares its data: an application that nobody looks at costs two
 * seconds. A journey that signs out or ends sessions signs in by hand.
 */
export const signIn = async (page: Page, username: string, path?: string) => {
  const { token, user, tenant, roles } = await sharedSession(page, username);
  await page.route(`**${emptyPage}`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
  await page.goto(emptyPage);
  // While a page has a route, its browser caches nothing.
  await page.unroute(`**${emptyPage}`);
  // Once, and not at each load: a journey that is signed out stays signed out.
  await page.evaluate(
    (texts) => {
      for (const [name, text] of Object.entries(texts)) localStorage.setItem(name, text);
    },
    { token, user: JSON.stringify(user), tenant: JSON.stringify(tenant), roles: JSON.stringify(roles) },
  );
  if (path !== undefined) await page.goto(path);
};

/** Signs in through the screen, as one of the demo users or with a password of one's own. */
export const signInByHand = async (page: Page, username: string, theirPassword = password) => {
  await page.goto('/login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(theirPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard/);
};

/** Everything the browser complains about; a journey ends with none. */
export const complaintsOf = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  return complaints;
};

/** Complaints of a journey that leaves volumes while they load: the library warns of each slice then. */
export const besidesLeaving = (complaints: readonly string[]): string[] =>
  complaints.filter((one) => !one.includes('volume load cancelled'));

/** What the browser stops on the pages that follow, as our content security policy asks: one line each. */
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

/** What axe finds against WCAG 2.2 A and AA on the page or a part of it, one line a rule. */
export const violations = async (page: Page, part = 'body'): Promise<string[]> => {
  await atRest(page);
  // To load the rules takes as long as to apply them: once for each load of a page.
  const isThere = await page.evaluate(() => 'axe' in window);
  // The other mode loads a second page, and the rules into it, for frames of other origins: we have none.
  const { violations: found } = await new AxeBuilder({ page, ...(isThere && { axeSource: 'void 0' }) })
    .setLegacyMode()
    // Of what is well it would describe every element, which takes as long again.
    .options({ resultTypes: ['violations'] })
    .include(part)
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};

/** Nothing fades or slides any more: in between, colours are mixed with what lies behind. */
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
 * Has calls that failed answered again when Retry is pressed, and not before: pages ask again by themselves too, and the
 * button would go before the mouse is there. Such a call waits for the mouse, but not for long: while it waits, there may
 * be no button.
 */
export const retryAndSucceed = async (page: Page, calls: string | RegExp, within: Page | Locator = page) => {
  const pressed = Promise.withResolvers<boolean>();
  // The route that was laid last is asked first; it lets the call fail by the one before it.
  await page.route(calls, async (route) => {
    const isPressed = await Promise.race([pressed.promise, page.waitForTimeout(1000)]);
    await (isPressed ? route.continue() : route.fallback());
  });
  await within.getByRole('button', { name: 'Retry' }).click();
  pressed.resolve(true);
};

/** Where the imaging library draws. */
const ofLibrary = 'canvas.cornerstone-canvas';

/**
 * The visible canvas of the viewer or of a part of it, as its pixels, once two readings agree and it
 * has as many pixels as its place: a pane that was just made large has its new canvas only in a moment.
 */
export const readCanvas = async (page: Page, within: Page | Locator = page, canvases = ofLibrary) => {
  const until = Date.now() + 15_000;
  while (Date.now() < until) {
    // Compared in the page: to fetch five megabytes for each look takes longer than the look.
    const reading = await within
      .locator(canvases)
      .first()
      .evaluate(async (canvas) => {
        if (!(canvas instanceof HTMLCanvasElement)) return undefined;
        const isOfLibrary = canvas.classList.contains('cornerstone-canvas');
        const read = () => {
          if (isOfLibrary && Math.abs(canvas.width - canvas.clientWidth * devicePixelRatio) > 1) return undefined;
          // Chromium complains when one reads often from a canvas that was not made for it: a copy is.
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
