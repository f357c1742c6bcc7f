import { Secret, TOTP } from 'otpauth';

const period = 30;
const settings = { algorithm: 'SHA1', digits: 6, period } as const;

/** Makes a key of 160 bits, as RFC 4226 recommends, in a form that people can type. */
export const newKey = (): string => new Secret({ size: 20 }).base32;

/** Returns the address that an authenticator app reads from the QR code. */
export const uriOf = (key: string, label: string): string =>
  new TOTP({ ...settings, issuer: 'Radwork', label, secret: Secret.fromBase32(key) }).toString();

/**
 * Returns the time step of a code: the current one, the one before or the one after. Clocks differ and people type
 * slowly (RFC 6238 5.2). Undefined for a wrong code.
 */
export const stepOf = (key: string, code: string): number | undefined => {
  const timestamp = Date.now();
  const delta = TOTP.validate({ ...settings, secret: Secret.fromBase32(key), token: code, timestamp, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period, timestamp }) + delta;
};
