import { singleSignOn, ssoJourney } from '@radwork/contract/identity/single-sign-on';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { networkOf } from '#core/http/network-of-address.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { attemptMinutes } from './attempts.ts';
import { callback } from './callback.ts';
import { confirm } from './confirm-reauthentication.ts';
import { exchange } from './exchange-ticket.ts';
import { offer } from './sign-in-offer.ts';
import { dismiss, link, listArrivals, listIdentities, unlink } from './linked-users.ts';
import { read, save } from './service.ts';
import { type Departure, startSignIn } from './start-sign-in.ts';
import { testProvider } from './test-provider.ts';

/**
 * Limits how many sign-ins start, because each start calls a provider. A whole clinic may sign in from one address when
 * a shift begins.
 */
const startsPerMinute = 120;

export const singleSignOnRoutes = (
  { serve, serveWaiting, servePublic, servePublicStream }: Routes,
  context: Context,
): void => {
  const { publicUrl } = context.config;
  const allow = createRateLimit(startsPerMinute);

  servePublic(singleSignOn.offer, ({ query }) => offer(context.scopes, query.organization));
  servePublic(singleSignOn.exchange, ({ body }, visitor) => exchange(context, body.ticket, visitor));
  servePublicStream('', ssoJourney.start, async ({ request, reply, visitor }) => {
    allow(networkOf(visitor.address));
    const { subdomain = '' } = request.params as { subdomain?: string };
    const searchParams = searchOf(request);
    const journey = { redirect: searchParams.get('redirect') ?? '', isAgain: searchParams.get('again') === '1' };
    const origin = publicUrl ?? `${request.protocol}://${request.host}`;
    return sendOn(reply, await startSignIn(context, { subdomain, ...journey, origin }, visitor), origin);
  });
  servePublicStream('', ssoJourney.callback, async ({ request, reply, visitor }) =>
    reply.redirect(await callback(context, searchOf(request), visitor), 303),
  );

  serve(singleSignOn.confirm, (scope, { body }) => confirm(scope, body.ticket));
  serve(singleSignOn.read, (scope) => read(scope, context));
  serve(singleSignOn.save, (scope, { body }) => save(scope, context, body));
  serveWaiting(singleSignOn.test, (session, { body }) => testProvider(context, session, body));
  serve(singleSignOn.identities, (scope) => listIdentities(scope));
  serve(singleSignOn.unlink, (scope, { params }) => unlink(scope, context, params.identityId));
  serve(singleSignOn.arrivals, (scope) => listArrivals(scope));
  serve(singleSignOn.link, (scope, { params, body }) => link(scope, context, params.arrivalId, body.username));
  serve(singleSignOn.dismiss, (scope, { params }) => dismiss(scope, params.arrivalId));
};

const searchOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'https://here.invalid').searchParams;

/**
 * Redirects the browser and sets the cookie. Browsers send the cookie only to this feature, even when the provider
 * redirects them back.
 */
const sendOn = (reply: FastifyReply, { location, cookie }: Departure, origin: string) => {
  if (cookie) {
    const terms = ['Path=/api/auth/sso', 'HttpOnly', 'SameSite=Lax', `Max-Age=${(attemptMinutes + 1) * 60}`];
    if (origin.startsWith('https:')) terms.push('Secure');
    void reply.header('set-cookie', [`${cookie.name}=${cookie.value}`, ...terms].join('; '));
  }
  return reply.redirect(location, 303);
};
