import { sessions } from '@radwork/contract/identity/sessions';
import { defineSamples } from '#test/feature-samples.ts';
import { textKeyOf } from './text-key.ts';

export const samples = defineSamples({
  access: `
                              asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    POST   /api/auth/forget   public        200       200  200  200  200  200  none      none   none
    POST   /api/auth/login    public        401       401  401  401  401  401  none      none   none
    POST   /api/auth/logout   authenticated 401       may  may  may  may  may  none      403    may
    POST   /api/auth/validate public        401       401  401  401  401  401  none      none   none
  `,
  bodies: [
    [sessions.login, { username: 'nobody', password: 'wrong' }],
    [sessions.validate, { token: 'x'.repeat(43) }],
    [sessions.forget, { what: 'CACHE' }],
  ],
  fill: async ({ world, author }) => {
    await textKeyOf(world.context, author.session);
  },
});
