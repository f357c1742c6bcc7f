import { account, passwordLinks } from '@radwork/contract/identity/accounts';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { networkOf } from '#core/http/network-of-address.ts';
import { createRateLimit } from '#core/http/rate-limit.ts';
import { changePassword } from './change-password.ts';
import { forgotPassword } from './forgot-password.ts';
import { endSession, endSessions, listSessions } from './own-sessions.ts';
import { readAccount, saveAccount } from './profile.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} from './second-factor.ts';
import { checkPasswordLink, usePasswordLink } from './use-password-link.ts';

/**
 * Calls per minute and address. Few are enough, because a link is opened and used once, and passwords are rarely
 * forgotten.
 */
const linkCallsPerMinute = 30;
const forgottenPerMinute = 5;

export const accountRoutes = ({ serve, serveWaiting, servePublic }: Routes, context: Context) => {
  const allowLinks = createRateLimit(linkCallsPerMinute);
  const allowForgetting = createRateLimit(forgottenPerMinute);

  serveWaiting(account.read, (session) => readAccount(context, session));
  serveWaiting(account.save, (session, { body }) => saveAccount(context, session, body));
  serveWaiting(account.sessions, (session) => listSessions(context, session));
  serveWaiting(account.endSessions, (session, { body }) => endSessions(context, session, body));
  serveWaiting(account.endSession, (session, { params }) => endSession(context, session, params.id));
  serveWaiting(account.changePassword, (session, { params, body }) =>
    changePassword(context, session, params.id, body),
  );
  serveWaiting(account.beginSecondFactor, (session, { body }) => beginSecondFactor(context, session, body));
  serveWaiting(account.confirmSecondFactor, (session, { body }) => confirmSecondFactor(context, session, body));
  serveWaiting(account.removeSecondFactor, (session, { body }) => removeSecondFactor(context, session, body));
  serveWaiting(account.renewRecoveryCodes, (session, { body }) => renewRecoveryCodes(context, session, body));
  serve(account.resetSecondFactor, (scope, { params }) => resetSecondFactor(context, scope, params.id));

  servePublic(passwordLinks.facts, async () => ({ canSendMail: context.config.mail !== undefined }));
  servePublic(passwordLinks.check, async ({ body }, { address }) => {
    allowLinks(networkOf(address));
    return checkPasswordLink(context, body);
  });
  servePublic(passwordLinks.use, async ({ body }, { address }) => {
    allowLinks(networkOf(address));
    return usePasswordLink(context, body, address);
  });
  servePublic(passwordLinks.forgot, async ({ body }, { address, subdomain }) => {
    allowForgetting(networkOf(address));
    // Later errors are ignored, because the caller already has the answer and can ask again.
    forgotPassword(context, { ...body, subdomain, address }, () => {});
  });
};
