import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';

/** Settings of an archive without credentials. `more` replaces the defaults. */
export const settingsAt = (baseUrl: string, more: Partial<RemoteSettings> = {}): RemoteSettings => ({
  aeTitle: 'OTHER',
  protocol: 'DICOMWEB',
  baseUrl,
  resourcesUri: '',
  qidoEndpoint: '',
  wadoEndpoint: '',
  issuer: '',
  authType: 'NONE',
  username: '',
  password: '',
  token: '',
  apiKey: '',
  apiSecret: '',
  ...more,
});
