import { signingHolds } from '@radwork/contract/identity/signing-holds';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { mailProofLink, confirm, ownState, proveByCode, proveByMail, stateOfUser } from './end-hold.ts';

export const signingHoldRoutes = ({ serve, serveWaiting }: Routes, context: Context) => {
  // These endpoints open their own scopes, because the account is in the home tenant, even while its user visits
  // another tenant.
  serveWaiting(signingHolds.own, (session) => ownState(context, session));
  serveWaiting(signingHolds.proveByCode, (session, { body }) => proveByCode(context, session, body));
  serveWaiting(signingHolds.askForMail, (session) => mailProofLink(context, session));
  serveWaiting(signingHolds.proveByMail, (session, { body }) => proveByMail(context, session, body));
  serve(signingHolds.ofUser, (scope, { params }) => stateOfUser(context, scope, params.id));
  serveWaiting(signingHolds.confirm, (session, { params }) => confirm(context, session, params.id));
};
