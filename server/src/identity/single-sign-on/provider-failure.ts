import { t } from '@radwork/contract/core/translate';
import type { SsoFailure } from '@radwork/contract/identity/single-sign-on-failures';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { SsoRefusal } from './sso-refusal.ts';

/** Errors that the provider reports at a sign-in (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6). */
const answers = new Map<string, SsoFailure>([
  ['access_denied', 'denied'],
  ['login_required', 'denied'],
  ['interaction_required', 'denied'],
  ['consent_required', 'denied'],
  ['account_selection_required', 'denied'],
  ['server_error', 'provider_away'],
  ['temporarily_unavailable', 'provider_away'],
  ['unmet_authentication_requirements', 'weak'],
]);

/** Error codes of openid-client and oauth4webapi, with messages for the administrator. */
const codes = new Map<string, [failure: SsoFailure, message: () => string]>([
  ['OAUTH_JWT_TIMESTAMP_CHECK_FAILED', ['clock', () => t`The clocks of the provider and this server differ too much.`]],
  [
    'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
    [
      'provider_wrong',
      () => t`The provider reports another issuer. Enter the issuer exactly as the provider reports it.`,
    ],
  ],
  [
    'OAUTH_RESPONSE_IS_NOT_JSON',
    ['provider_wrong', () => t`No OpenID provider was found at this address. The answer is not JSON.`],
  ],
  [
    'OAUTH_PARSE_ERROR',
    ['provider_wrong', () => t`No OpenID provider was found at this address. The answer cannot be read.`],
  ],
  [
    'OAUTH_RESPONSE_IS_NOT_CONFORM',
    [
      'provider_wrong',
      () => t`No OpenID provider was found at this address (no /.well-known/openid-configuration). Check the issuer.`,
    ],
  ],
  [
    'OAUTH_INVALID_RESPONSE',
    ['provider_wrong', () => t`The answer of the provider violates OpenID. Check the issuer.`],
  ],
  [
    'OAUTH_HTTP_REQUEST_FORBIDDEN',
    ['provider_wrong', () => t`The provider uses http:// addresses. Only https:// is allowed.`],
  ],
  ['OAUTH_TIMEOUT', ['provider_away', () => t`The provider did not answer in time. Check the firewall.`]],
]);

/** Converts errors of the provider and the network to refusals. Returns other errors unchanged. */
export const asRefusal = (error: unknown): unknown => {
  if (error instanceof SsoRefusal) return error;
  const remote = causesOf(error).find((cause) => cause instanceof RemoteError);
  if (remote) return new SsoRefusal('provider_away', remote.message, remote.remoteCause);
  if (error instanceof AuthorizationResponseError) return new SsoRefusal(answers.get(error.error) ?? 'client_refused');
  // The token endpoint refuses a used or unknown code, or the client (RFC 6749 §5.2).
  if (error instanceof ResponseBodyError) {
    return new SsoRefusal(error.error === 'invalid_grant' ? 'not_known' : 'client_refused');
  }
  if (error instanceof WWWAuthenticateChallengeError) return new SsoRefusal('client_refused');
  if (error instanceof ClientError) {
    const [failure, message] = codes.get(error.code ?? '') ?? ['provider_wrong', undefined];
    return new SsoRefusal(failure, message?.(), failure === 'provider_away' ? 'TIMEOUT' : 'WRONG_SERVICE');
  }
  return error;
};

const causesOf = (error: unknown): unknown[] => {
  const causes: unknown[] = [];
  for (let one = error; one !== undefined && causes.length < 6; one = one instanceof Error ? one.cause : undefined) {
    causes.push(one);
  }
  return causes;
};
