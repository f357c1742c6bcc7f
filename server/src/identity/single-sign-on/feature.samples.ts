import { singleSignOn, ssoJourney } from '@radwork/contract/identity/single-sign-on';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

const singleSignOnForm = {
  isOn: false,
  label: '',
  issuer: '',
  clientId: '',
  scopes: 'openid',
  usernameClaim: 'preferred_username',
  nameClaim: 'name',
  emailClaim: 'email',
  groupsClaim: '',
  rules: [],
  isAdminByClaim: false,
  fallbackType: null,
  isEnrolling: false,
  isPasswordAllowed: true,
  requiredAcr: '',
  requiredAmr: '',
  revision: 1,
};

export const samples = defineSamples({
  access: `
                                                         asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/auth/sso                                 public        200       200  200  200  200  200  none      none   none
    GET    /api/auth/sso/callback                        public        303       303  303  303  303  303  none      none   none
    POST   /api/auth/sso/confirm                         authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/auth/sso/exchange                        public        401       401  401  401  401  401  none      none   none
    GET    /api/auth/sso/{subdomain}/start               public        303       303  303  303  303  303  none      none   none
    GET    /api/single-sign-on                           config.manage 401       200  200  403  403  403  none      403    200
    PUT    /api/single-sign-on                           config.manage 401       may  may  403  403  403  none      403    may
    GET    /api/single-sign-on/arrivals                  user.manage   401       200  200  403  403  403  none      403    200
    DELETE /api/single-sign-on/arrivals/{arrivalId}      user.manage   401       may  may  403  403  403  404       403    may
    POST   /api/single-sign-on/arrivals/{arrivalId}/link user.manage   401       may  may  403  403  403  404       403    may
    GET    /api/single-sign-on/identities                user.manage   401       200  200  403  403  403  none      403    200
    DELETE /api/single-sign-on/identities/{identityId}   user.manage   401       may  may  403  403  403  404       403    may
    POST   /api/single-sign-on/test                      config.manage 401       may  may  403  403  403  none      403    may
  `,
  unaudited: [singleSignOn.offer, ssoJourney.start, singleSignOn.read, singleSignOn.arrivals, singleSignOn.identities],
  parameters: { identityId: 'ssoIdentityId', arrivalId: 'ssoArrivalId' },
  values: { subdomain: 'nobody' },
  bodies: [
    [singleSignOn.save, singleSignOnForm],
    [singleSignOn.exchange, { ticket: 'x' }],
    [singleSignOn.confirm, { ticket: 'x' }],
    [singleSignOn.test, { issuer: 'https://provider.invalid' }],
    [singleSignOn.link, { username: 'somebody' }],
  ],
  insert: async ({ db }, { author: { userId }, mark }) => {
    const [ssoIdentityId, ssoArrivalId] = [newId(), newId()];
    await db
      .insertInto('single_sign_on')
      .values({
        label: mark,
        issuer: `https://provider.invalid/${mark}`,
        client_id: mark,
        client_secret: 'v1.sealed.secret.of-a-provider',
      })
      .execute();
    const caller = { issuer: 'https://provider.invalid', subject: mark };
    await db
      .insertInto('user_identities')
      .values({ ...caller, id: ssoIdentityId, user_id: userId })
      .execute();
    await db
      .insertInto('sso_arrivals')
      .values({ ...caller, id: ssoArrivalId, username: mark, name: mark, email: mark })
      .execute();
    await db
      .insertInto('sso_attempts')
      .values({
        id: newId(),
        state_hash: Buffer.from(newId()),
        browser_hash: Buffer.alloc(32),
        secrets: 'v1.sealed.secrets.of-an-attempt',
        revision: 1,
        redirect_address: 'https://radwork.invalid',
        expires_at: '2126-11-22T09:12:00Z',
      })
      .execute();
    return { ssoIdentityId, ssoArrivalId };
  },
});
