import { Secret, TOTP } from 'otpauth';

const period = 30;
const settings = { algorithm: 'SHA1', digits: 6, period } as const;

/** Creates a key of 160 bits, as RFC 4226 recommends, in a form that users can type. */
export const newKey = (): string => new Secret({ size: 20 }).base32;

/** Returns the URL for the QR code, which an authenticator app reads. */
export const uriOf = (key: string, label: string): string =>
  new TOTP({ ...settings, issuer: 'Radwork', label, secret: Secret.fromBase32(key) }).toString();

/**
 * Returns the time step of a code: the current, the previous or the next one. Clocks differ, and typing takes time (RFC
 * 6238 5.2). Undefined for a wrong code.
 */
export const stepOf = (key: string, code: string): number | undefined => {
  const timestamp = Date.now();
  const delta = TOTP.validate({ ...settings, secret: Secret.fromBase32(key), token: code, timestamp, window: 1 });
  return delta === null ? undefined : TOTP.counter({ period, timestamp }) + delta;
};
