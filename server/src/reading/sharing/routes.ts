import { reportLinks } from '@radwork/contract/reading/sharing';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { hashPassword } from '#core/access/passwords.ts';
import { linkOpens } from './link-opens.ts';
import { link, linkTerms, revoke, share } from './service.ts';

export const sharingRoutes = ({ serve, serveWaiting }: Routes, { scopes, secretKey }: Context) => {
  serve(reportLinks.get, (scope, { params }) => link(scope, secretKey, params.id));
  serve(reportLinks.terms, (scope, { params }) => linkTerms(scope, params.id));
  serveWaiting(reportLinks.create, async (session, { params, body }) => {
    const { passcode, ...linkOptions } = body;
    const passcodeHash = passcode === undefined ? null : await hashPassword(passcode);
    return scopes.inTenant(session, (scope) => share(scope, secretKey, params.id, { ...linkOptions, passcodeHash }));
  });
  serve(reportLinks.revoke, (scope, { params }) => revoke(scope, params.id));
  serve(reportLinks.opens, (scope, { params, query }) => linkOpens(scope, params.id, query));
};
