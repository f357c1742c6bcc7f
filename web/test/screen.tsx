import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { passwordLinks } from '@radwork/contract/identity/accounts';
import { builtInRoleNames, defaultPermissions, type UserType } from '@radwork/contract/core/access';
import { dashboard } from '@radwork/contract/insight/dashboard';
import type { Endpoint, Reply } from '@radwork/contract/core/endpoint';
import { atlas } from '@radwork/contract/knowledge/atlas';
import { groups } from '@radwork/contract/identity/groups';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { knowledge } from '@radwork/contract/knowledge/library';
import { health } from '@radwork/contract/identity/health';
import { followUps } from '@radwork/contract/reading/follow-ups';
import { lesions } from '@radwork/contract/reading/lesions';
import { hangingRules } from '@radwork/contract/reading/hanging-rules';
import { keptLayouts } from '@radwork/contract/reading/kept-layouts';
import { live } from '@radwork/contract/identity/live';
import { dictation } from '@radwork/contract/reading/dictation';
import { macros } from '@radwork/contract/reading/macros';
import { measurements } from '@radwork/contract/reading/measurements';
import { notifications as inbox } from '@radwork/contract/identity/notifications';
import { savedViews } from '@radwork/contract/imaging/saved-views';
import { seriesMoves } from '@radwork/contract/imaging/series-moves';
import { workflow } from '@radwork/contract/reading/workflow';
import { readingLocks } from '@radwork/contract/reading/reading-locks';
import { reportChecks } from '@radwork/contract/reading/report-checks';
import { reportFeedbackCalls } from '@radwork/contract/reading/report-feedback';
import { reportingSettings } from '@radwork/contract/reading/reporting-settings';
import { reportAutosaves } from '@radwork/contract/reading/report-autosaves';
import { reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { sessions, type SignedIn } from '@radwork/contract/identity/sessions';
import { signingMeansCalls, type SigningMeans } from '@radwork/contract/identity/signing-means';
import { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { globalTemplates, templateFacts, templates } from '@radwork/contract/reading/templates';
import { outreach } from '@radwork/contract/reading/outreach';
import { ownOrganization } from '@radwork/contract/identity/tenants';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, vi } from 'vitest';
import { App } from '#app/app.tsx';
import { createAppRouter } from '#app/routing/router.tsx';
import { saveSession, type StoredSession, readSession } from '#core/state/session.ts';
import { ConfirmDialog } from '#ui/dialogs/confirm-dialog.tsx';
import { noOutreach, nothingToCheck, noTiles, ownReading, writingSettings } from './usual-replies.ts';

/** A request with its data. */
export type SentRequest = {
  url: URL;
  method: string;
  headers: Headers;
  body: unknown;
  signal: AbortSignal | undefined;
};

type Answer = { method: string; path: RegExp; isGeneral?: boolean; reply: (sent: SentRequest) => unknown };

/** Pairs an endpoint with a reply of the right type. */
export const answer = <E extends Endpoint>(
  endpoint: E,
  reply: (sent: SentRequest) => Reply<E> | Promise<Reply<E>>,
): Answer => ({
  method: endpoint.method,
  path: patternOf(`/api${endpoint.path}`),
  isGeneral: endpoint.path.includes(':'),
  reply: async (sent) => Response.json({ code: 200, message: 'OK', data: (await reply(sent)) ?? null }),
});

/** Returns an error response in the format of the server. `errors` has messages by invalid field. */
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

/** Answers a path with bytes, such as a rendered image. */
export const answerBytes = (path: string, reply: (sent: SentRequest) => Response | Promise<Response>): Answer => ({
  method: 'GET',
  path: patternOf(path),
  reply,
});

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);

const emptyPage = { content: [], totalElements: 0, totalPages: 0, number: 0, size: 10 };

/** Paths that every page requests. Tests do not count them. */
const pathsOfEveryPage: ReadonlySet<string> = new Set([live.path, `/api${ownOrganization.brand.path}`]);

/** Number of navigations in the current test. */
let moves = 0;
const unanswered: { call: string; move: number }[] = [];
afterEach(() => {
  // Requests of the last page may come before or after the end of the test, so they may remain unanswered.
  const counted = unanswered.splice(0).filter(({ move }) => moves === 0 || move < moves);
  moves = 0;
  const calls = counted.map(({ call }) => call);
  if (calls.length > 0) throw new Error(`The test did not answer ${calls.join(', ')}`);
});

/**
 * Simulates the server and returns the requests so far. A request without an answer fails the test, except on the last
 * page of the test. An answer for the exact path takes precedence over a path with an ID.
 */
export const serve = (...answers: Answer[]): SentRequest[] => {
  const calls: SentRequest[] = [];
  const everywhere = [
    answer(health.about, () => ({ name: 'Radwork', version: '0.0.0', publicUrl: null })),
    // Page after sign-in. Default: no studies.
    answer(dashboard.read, () => ({ from: '2026-10-24', to: '2026-11-22', timeZone: 'UTC', tiles: noTiles })),
    // Default: the product's own name.
    answer(ownOrganization.brand, () => ({ productName: '' })),
    answer(sessions.forget, () => undefined),
    // Default: no moves of series.
    answer(seriesMoves.ofStudy, () => []),
    // Default: no groups.
    answer(groups.list, () => []),
    // Default: no single sign-on.
    answer(singleSignOn.offer, () => ({ isOn: false, subdomain: '', label: '' })),
    // Default: no live events.
    answerBytes(live.path, () => new Response(null, { status: 204 })),
    // Default: the caller gets the reading lock.
    answer(readingLocks.take, () => ownReading),
    answer(readingLocks.beat, () => ownReading),
    answer(readingLocks.release, () => undefined),
    // Default: reporting settings for the editor.
    answer(reportingSettings.forWriting, () => writingSettings),
    answer(reportChecks.facts, () => nothingToCheck),
    answer(reportChecks.check, () => ({ contentHash: '', warnings: [] })),
    // Default: no measurements.
    answer(measurements.ofStudy, () => []),
    // Default: the server stores no autosave, so the browser must keep the text.
    answer(reportAutosaves.find, () => []),
    refuse(reportAutosaves.keep, 503, 'Not now'),
    answer(reportAutosaves.giveUp, () => undefined),
    // Default: no feedback on the user's reports, and no review phrases.
    answer(reportFeedbackCalls.list, () => ({ entries: [], unread: 0 })),
    answer(reviewPhrases.list, () => []),
    // Default: no macros, no templates and no template facts.
    answer(macros.list, () => []),
    answer(templates.list, () => emptyPage),
    answer(globalTemplates.list, () => []),
    // Default: no corrections of dictation.
    answer(dictation.corrections, () => []),
    // Default: no saved layouts.
    answer(keptLayouts.mine, () => []),
    // Default: no saved views of the study list, and no other users.
    answer(savedViews.list, () => []),
    answer(savedViews.counts, () => []),
    answer(workflow.assignable, () => []),
    // Default: no follow-ups and no lesions.
    answer(followUps.ofStudy, () => ({ ofStudy: [], ofPatient: [] })),
    answer(lesions.ofStudy, () => ({ timepoints: [], lesions: [], priors: [], areReadingsLeftOut: false })),
    // Default: no hanging rules.
    answer(hangingRules.list, () => []),
    // Default: empty pages.
    answer(atlas.list, () => emptyPage),
    answer(guidelines.list, () => emptyPage),
    answer(knowledge.forStudy, () => ({ subject: '', atlas: [], guidelines: [] })),
    answer(templateFacts.ofStudy, () => ({
      chosenTemplateId: null,
      patientRecordId: 'p1',
      values: {},
      exam: { modality: '', modalities: [], description: '', bodyParts: [] },
    })),
    // Default: the installation sends no mail.
    answer(passwordLinks.facts, () => ({ canSendMail: false })),
    // Default: no notification channels and an empty inbox.
    answer(outreach.settings, () => noOutreach),
    // Default: no saved signature, and the organization requires a recent sign-in.
    answer(signingMeansCalls.read, () => meansOf()),
    answer(inbox.list, () => ({ content: [], totalElements: 0, totalPages: 0, number: 0, size: 10 })),
  ];
  vi.stubGlobal('fetch', async (target: string, init: RequestInit = {}) => {
    const { method = 'GET', body, signal } = init;
    const sent: SentRequest = {
      url: new URL(target, window.location.origin),
      method,
      headers: new Headers(init.headers),
      body: typeof body === 'string' ? JSON.parse(body) : body,
      signal: signal ?? undefined,
    };
    if (!pathsOfEveryPage.has(sent.url.pathname)) calls.push(sent);
    const fitting = [...answers, ...everywhere].filter(
      (candidate) => candidate.method === method && candidate.path.test(sent.url.pathname),
    );
    const match = fitting.find(({ isGeneral }) => !isGeneral) ?? fitting[0];
    if (!match) {
      unanswered.push({ call: `${method} ${sent.url.pathname}`, move: moves });
      throw new TypeError('Failed to fetch');
    }
    return match.reply(sent);
  });
  return calls;
};

/** Returns the bodies of the requests to one or several endpoints, in order. */
export const bodiesOf = (calls: readonly SentRequest[], ...endpoints: readonly Endpoint[]): unknown[] =>
  calls
    .filter(({ method, url }) =>
      endpoints.some((endpoint) => endpoint.method === method && patternOf(`/api${endpoint.path}`).test(url.pathname)),
    )
    .map(({ body }) => body);

/** Returns the user's signature and PIN state. */
export const meansOf = (more: Partial<SigningMeans> = {}): SigningMeans => ({
  proof: 'RECENT_SIGN_IN',
  signer: { name: readSession()?.user.name ?? '', credentials: '' },
  hasPassword: true,
  hasSecondFactor: readSession()?.user.secondFactor === 'SET',
  pinSince: null,
  savedSignature: null,
  ...more,
});

let sessionCount = 0;

/** Returns a text key that is different for each user. */
export const textKeyFor = (userId: string): string =>
  Array.from(userId, (letter) => letter.charCodeAt(0).toString(16).padStart(2, '0'))
    .join('')
    .padEnd(64, 'a0');

/** Returns a new session of a user type, with its default permissions. */
export const sessionOf = (userType: UserType = 'RADIOLOGIST'): SignedIn => ({
  token: `token-of-session-${++sessionCount}`,
  textKey: textKeyFor('u1'),
  user: { id: 'u1', username: 'm.haddad', name: 'Mona Haddad', email: 'mona@north.example', userType },
  tenant: { name: 'North Clinic', subdomain: 'north' },
  roles: [{ name: builtInRoleNames[userType], permissions: defaultPermissions[userType].map((name) => ({ name })) }],
});

/** Signs in a user of this type. Returns the session as stored in the browser. */
export const signIn = (userType?: UserType): StoredSession => {
  const { textKey, ...session } = sessionOf(userType);
  saveSession({ ...session, textKey });
  return session;
};

const newClient = () => new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } });

/** Renders one component for a signed-in user. */
export const show = (screen: ReactNode, userType?: UserType) => {
  signIn(userType);
  const client = newClient();
  const view = render(
    <MantineProvider forceColorScheme="dark" env="test">
      <QueryClientProvider client={client}>
        {screen}
        <ConfirmDialog />
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...view, client };
};

/**
 * Opens the whole application at an address as the signed-in user. Also answers the request that validates the session.
 */
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
