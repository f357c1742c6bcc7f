import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';

type Credentials = Pick<RemoteSettings, 'username' | 'password' | 'token' | 'apiKey' | 'apiSecret'>;

const hidden = '[hidden]';

/**
 * Hides the secrets of a configuration in texts from another system, because some systems quote the refused headers.
 * Hides each secret as plain text, JSON, URL and Base64, alone and with its user name.
 */
export const hideSecrets = ({ username, ...secrets }: Credentials) => {
  const { password, token, apiKey, apiSecret } = secrets;
  const plain = [password, token, apiKey, apiSecret].filter(Boolean);
  const pair = password && `${username}:${password}`;
  const encoded = [...plain, ...(pair ? [pair] : [])].flatMap(base64Forms);
  const secretForms = plain.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
  ]);
  // The longest text comes first. Otherwise, of two secrets with the same beginning, the end of the longer one would
  // remain visible.
  const forms = [...new Set([...secretForms, ...encoded])].toSorted((one, other) => other.length - one.length);
  return (words: string): string => forms.reduce((text, form) => text.replaceAll(form, hidden), words);
};

const base64Forms = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  return [bytes.toString('base64'), bytes.toString('base64').replace(/(?<!=)=+$/, ''), bytes.toString('base64url')];
};
