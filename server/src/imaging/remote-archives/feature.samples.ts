import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { remoteStudies } from '@radwork/contract/imaging/remote-studies';
import { newId } from '#core/values/ids.ts';
import { defineSamples } from '#test/feature-samples.ts';

/** An address that never exists (RFC 2606). */
const elsewhere = { aeTitle: 'ELSEWHERE', protocol: 'DICOMWEB', baseUrl: 'https://archive.invalid', authType: 'NONE' };

export const samples = defineSamples({
  access: `
                                         asks for      anonymous SUPE ADMI RADI REFE PATI elsewhere header visitor
    GET    /api/configurations           study.import  401       200  200  200  403  403  none      403    200
    POST   /api/configurations           config.manage 401       may  may  403  403  403  none      403    may
    POST   /api/configurations/test      config.manage 401       may  may  403  403  403  none      403    may
    GET    /api/configurations/{id}      config.manage 401       200  200  403  403  403  404       403    200
    PUT    /api/configurations/{id}      config.manage 401       may  may  403  403  403  404       403    may
    PATCH  /api/configurations/{id}      config.manage 401       may  may  403  403  403  404       403    may
    DELETE /api/configurations/{id}      config.manage 401       may  may  403  403  403  404       403    may
    POST   /api/configurations/{id}/test config.manage 401       may  may  403  403  403  404       403    may
    POST   /api/remote/connections       study.import  401       may  may  may  403  403  none      403    may
    GET    /api/remote/search            study.import  401       400  400  400  403  403  none      403    400
  `,
  unaudited: [remoteConfigurations.list, remoteConfigurations.read],
  ids: { '/configurations/': 'configurationId' },
  bodies: [
    [remoteConfigurations.create, elsewhere],
    [remoteConfigurations.replace, elsewhere],
    [remoteConfigurations.change, { aeTitle: 'CHANGED' }],
    [remoteConfigurations.testUnsaved, elsewhere],
    [remoteStudies.connect, { host: 'archive.invalid', port: 8042 }],
  ],
  insert: async ({ db }, { mark }) => {
    const configurationId = newId();
    await db
      .insertInto('remote_configurations')
      .values({
        id: configurationId,
        ae_title: mark.slice(0, 16),
        protocol: 'DICOMWEB',
        base_url: `https://archive.invalid/${mark}`,
        auth_type: 'BASIC',
        username: mark,
        password: 'v1.sealed.password.of-a-remote',
        token: 'v1.sealed.token.of-a-remote',
        api_key: 'v1.sealed.key.of-a-remote',
        api_secret: 'v1.sealed.secret.of-a-remote',
      })
      .execute();
    return { configurationId };
  },
});
