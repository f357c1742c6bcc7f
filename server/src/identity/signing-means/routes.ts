import { signingMeansCalls } from '@radwork/contract/identity/signing-means';
import type { Context } from '#core/context.ts';
import type { Routes } from '#core/http/http.ts';
import { readMeans, removePin, removeSignature, saveSignature, setPin } from './own-signing-means.ts';

export const signingMeansRoutes = ({ serveWaiting }: Routes, context: Context) => {
  // These endpoints open their own scopes, because the account is in the home tenant, even while its user visits
  // another tenant.
  serveWaiting(signingMeansCalls.read, (session) => readMeans(context, session));
  serveWaiting(signingMeansCalls.saveSignature, (session, { body }) => saveSignature(context, session, body));
  serveWaiting(signingMeansCalls.removeSignature, (session, { body }) => removeSignature(context, session, body));
  serveWaiting(signingMeansCalls.setPin, (session, { body }) => setPin(context, session, body));
  serveWaiting(signingMeansCalls.removePin, (session, { body }) => removePin(context, session, body));
};
