import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { passwordLinks } from '@radwork/contract/account';
import { builtInRoleNames, defaultPermissions, type UserType } from '@radwork/contract/access';
import { dashboard } from '@radwork/contract/dashboard';
import type { Endpoint, Reply } from '@radwork/contract/endpoint';
import { atlas } from '@radwork/contract/atlas';
import { guidelines } from '@radwork/contract/guidelines';
import { knowledge } from '@radwork/contract/knowledge';
import { health } from '@radwork/contract/health';
import { keptLayouts } from '@radwork/contract/kept-layouts';
import { live } from '@radwork/contract/live';
import { macros } from '@radwork/contract/macros';
import { notifications as inbox } from '@radwork/contract/notifications';
import { readingLocks } from '@radwork/contract/reading-locks';
import { reportChecks } from '@radwork/contract/report-checks';
import { reportingSettings } from '@radwork/contract/reporting-settings';
import { reportAutosaves } from '@radwork/contract/report-autosaves';
import { sessions, type SignedIn } from '@radwork/contract/sessions';
import { singleSignOn } from '@radwork/contract/single-sign-on';
import { templateFacts } from '@radwork/contract/templates';
import { outreach, type OutreachSettings } from '@radwork/contract/outreach';
import { organisation } from '@radwork/contract/tenants';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { App } from '#app/app.tsx';
import { createAppRouter } from '#app/router.tsx';
import { keepSession, type KeptSession, readSession } from '#core/session.ts';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';

const noOutreach: OutreachSettings = {
  choices: [],
  quietHours: null,
  timeZone: 'UTC',
  mailAddress: '',
  devices: [],
  pushKey: '',
};

/** What a call brought along. */
export type Sent = { url: URL; method: string; headers: Headers; body: unknown; signal: AbortSignal | undefined };

type Answer = { method: string; path: RegExp; isGeneral?: boolean; reply: (sent: Sent) => unknown };

/** Pairs an endpoint with a reply of that endpoint's own type. */
export const answer = <E extends Endpoint>(
  endpoint: E,
  reply: (sent: Sent) => Reply<E> | Promise<Reply<E>>,
): Answer => ({
  method: endpoint.method,
  path: patternOf(`/api${endpoint.path}`),
  isGeneral: endpoint.path.includes(':'),
  reply: async (sent) => Response.json({ code: 200, message: 'OK', data: (await reply(sent)) ?? null }),
});

/** A refusal in the server's own shape; `errors` name the inputs at fault. */
export const refuse = (
  endpoint: Endpoint,
  code: number,
  message: string,
  more: { error?: string; errors?: { field: string; message: string }[]; headers?: Record<string, string> } = {},
): Answer => ({
  method: endpoint.method,
  path: patternOf(`/api${endpoint.path}`),
  isGeneral: endpoint.path.includes(':'),
  reply: () =>
    Response.json(
      {
        code,
        error: more.error ?? 'test.refused',
        message,
        traceId: 'trace-1',
        ...(more.errors && { errors: more.errors }),
      },
      { status: code, ...(more.headers && { headers: more.headers }) },
    ),
});

/** Bytes at an address, such as a rendered picture. */
export const answerBytes = (path: string, reply: (sent: Sent) => Response | Promise<Response>): Answer => ({
  method: 'GET',
  path: patternOf(path),
  reply,
});

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);

const ownReading = {
  username: 'm.haddad',
  name: 'Mona Haddad',
  since: '2026-11-22T09:12:00Z',
  isMe: true,
  expiresAt: '2026-11-22T09:14:00Z',
};

/** How a tenant reports that has decided nothing. */
export const writingSettings: Reply<typeof reportingSettings.forWriting> = {
  isDictationAllowed: true,
  drafting: {
    isOn: true,
    provider: 'RULES',
    providerName: 'Built-in drafter',
    model: '',
    whereTextGoes: '',
    isRuleBased: true,
  },
  clocks: { CRITICAL: 60, URGENT: 1440, SIGNIFICANT: 10_080 },
  isSignatureRequired: true,
  isReviewRequired: false,
  isLinkCodeRequired: false,
  linkDays: 30,
};

/** Of this patient nothing is on record that a text could contradict. */
const nothingToCheck: Reply<typeof reportChecks.facts> = {
  patientRecordId: 'p1',
  sex: '',
  age: null,
  modality: '',
  studyDate: null,
  priorDates: ['2026-03-14'],
  isFlaggedCritical: true,
  openCriticalFindings: 0,
  newImages: 0,
};

/** What there is to be done where nothing has arrived yet. */
const noTiles: Reply<typeof dashboard.read>['tiles'] = {
  unread: { total: 0, isMore: false, mine: null },
  inProgress: { total: 0, isMore: false, mine: null },
  overdue: { total: 0, isMore: false, mine: null },
  unassigned: null,
  myDrafts: null,
  toReview: null,
  openCritical: null,
  myStudies: null,
  reportsReady: null,
  hasStudies: false,
};
const emptyPage = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 10 };

/** Every page asks for these; no test counts them. */
const everywhereAsked: ReadonlySet<string> = new Set([live.path, `/api${organisation.brand.path}`]);

/** How often the application has gone to another place in this test. */
let moves = 0;
const unanswered: { call: string; move: number }[] = [];
afterEach(() => {
  // Where a test only leads to, what the page asks for comes before its end or after it.
  const counted = unanswered.splice(0).filter(({ move }) => moves === 0 || move < moves);
  moves = 0;
  const calls = counted.map(({ call }) => call);
  if (calls.length > 0) throw new Error(`The test did not answer ${calls.join(', ')}`);
});

/**
 * Stands in for the server and returns the calls made so far. A call that nothing here answers fails the test, unless
 * it is of the last place that the test leads to. Of the answers that fit, one for exactly this path goes before one for
 * every id.
 */
export const serve = (...answers: Answer[]): Sent[] => {
  const calls: Sent[] = [];
  const everywhere = [
    answer(health.about, () => ({ name: 'Radwork', version: '0.0.0', publicUrl: null })),
    // Whoever signs in is led there: nothing has arrived yet, unless the test says so.
    answer(dashboard.read, () => ({ from: '2026-10-24', to: '2026-11-22', timeZone: 'UTC', tiles: noTiles })),
    // The organisation calls the product by its own name.
    answer(organisation.brand, () => ({ productName: '' })),
    answer(sessions.forget, () => undefined),
    // Nobody signs in elsewhere, unless the test says so.
    answer(singleSignOn.offer, () => ({ isOn: false, subdomain: '', label: '' })),
    // There is nothing to hear, unless the test says so.
    answerBytes(live.path, () => new Response(null, { status: 204 })),
    // Whoever opens an editor gets its lock, unless the test says who has it.
    answer(readingLocks.take, () => ownReading),
    answer(readingLocks.beat, () => ownReading),
    answer(readingLocks.release, () => undefined),
    // What whoever opens an editor has to know of their tenant.
    answer(reportingSettings.forWriting, () => writingSettings),
    answer(reportChecks.facts, () => nothingToCheck),
    answer(reportChecks.check, () => ({ contentHash: '', warnings: [] })),
    // The server keeps nothing of what is typed, so that the browser has to, unless the test says otherwise.
    answer(reportAutosaves.find, () => []),
    refuse(reportAutosaves.keep, 503, 'Not now'),
    answer(reportAutosaves.giveUp, () => undefined),
    // They have no macros, and nothing is known of the study to fill in.
    answer(macros.list, () => []),
    // Whoever opens a viewer brings their layouts along.
    answer(keptLayouts.mine, () => []),
    // A screen that stands for any screen is an empty one.
    answer(atlas.list, () => emptyPage),
    answer(guidelines.list, () => emptyPage),
    answer(knowledge.forStudy, () => ({ subject: '', atlas: [], guidelines: [] })),
    answer(templateFacts.ofStudy, () => ({
      patientRecordId: 'p1',
      values: {},
      exam: { modality: '', modalities: [], description: '', bodyParts: [] },
    })),
    // This installation sends no mail, unless the test says so.
    answer(passwordLinks.facts, () => ({ canSendMail: false })),
    // The bell of every screen asks for it.
    answer(outreach.settings, () => noOutreach),
    answer(inbox.list, () => ({ content: [], totalElements: 0, totalPages: 0, number: 0, size: 10 })),
  ];
  vi.stubGlobal('fetch', async (target: string, init: RequestInit = {}) => {
    const { method = 'GET', body, signal } = init;
    const sent: Sent = {
      url: new URL(target, window.location.origin),
      method,
      headers: new Headers(init.headers),
      body: typeof body === 'string' ? JSON.parse(body) : body,
      signal: signal ?? undefined,
    };
    if (!everywhereAsked.has(sent.url.pathname)) calls.push(sent);
    const fitting = [...answers, ...everywhere].filter(
      (candidate) => candidate.method === method && candidate.path.test(sent.url.pathname),
    );
    const found = fitting.find(({ isGeneral }) => !isGeneral) ?? fitting[0];
    if (!found) {
      unanswered.push({ call: `${method} ${sent.url.pathname}`, move: moves });
      throw new TypeError('Failed to fetch');
    }
    return found.reply(sent);
  });
  return calls;
};

let sessionCount = 0;

/** The text key that the server gives to somebody: another for each. */
export const textKeyFor = (userId: string): string =>
  Array.from(userId, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .padEnd(64, 'a0');

/** A new session of somebody of this type, with the rights that type starts with. */
export const sessionOf = (userType: UserType = 'RADIOLOGIST'): SignedIn => ({
  token: `token-of-session-${++sessionCount}`,
  textKey: textKeyFor('u1'),
  user: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', email: 'mona@north.example', userType },
  tenant: { name: 'North Clinic', subdomain: 'north' },
  roles: [{ name: builtInRoleNames[userType], permissions: defaultPermissions[userType].map((name) => ({ name })) }],
});

/** Signs somebody of this type in. Returns what the browser keeps of it. */
export const signIn = (userType?: UserType): KeptSession => {
  const { textKey, ...session } = sessionOf(userType);
  keepSession({ ...session, textKey });
  return session;
};

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } });

/** Renders one component as somebody. */
export const show = (screen: ReactNode, userType?: UserType) => {
  signIn(userType);
  return render(
    <MantineProvider forceColorScheme="dark" env="test">
      <QueryClientProvider client={newClient()}>
        {screen}
        <ConfirmDialog />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  );
};

/** Opens the whole application at an address, as whoever is signed in; `validate` is answered for them. */
export const visit = (address: string, ...answers: Answer[]) => {
  const session = readSession();
  const calls = serve(
    ...answers,
    ...(session ? [answer(sessions.validate, () => ({ ...session, textKey: textKeyFor(session.user.id) }))] : []),
  );
  const history = createMemoryHistory({ initialEntries: [address] });
  history.subscribe(() => (moves += 1));
  const router = createAppRouter(history);
  const client = newClient();
  const view = render(<App client={client} router={router} env="test" />);
  return { ...view, client, router, calls, address: () => router.state.location.href };
};
