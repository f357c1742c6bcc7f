import type { RemoteSettings } from '@radwork/contract/remote-configurations';

/** How an archive is reached that wants no credentials; what is given replaces what it would have. */
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
