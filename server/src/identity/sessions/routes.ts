import { sessions } from '@radwork/contract/identity/sessions';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { login, logout, validate } from './service.ts';

export const sessionRoutes = ({ serve, servePublic }: Routes, context: Context) => {
  servePublic(sessions.login, ({ body }, visitor) => login(context, body, visitor));
  servePublic(sessions.validate, ({ body }, visitor) => validate(context, body, visitor));
  servePublic(sessions.forget, async () => undefined);
  serve(sessions.logout, (scope) => logout(context, scope));
};
