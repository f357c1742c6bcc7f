import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/**
 * Proof of identity that an organization requires for signing. RECENT_SIGN_IN is valid for `signInCountsFor` minutes.
 */
export const signingProofs = ['RECENT_SIGN_IN', 'PASSWORD', 'PIN', 'CODE'] as const;
export type SigningProof = (typeof signingProofs)[number];

export const signingProofLabels: Record<SigningProof, string> = translated({
  RECENT_SIGN_IN: 'Sign-in within the last 15 minutes',
  PASSWORD: 'Password at each signature',
  PIN: 'Signing PIN at each signature',
  CODE: 'Authenticator code at each signature',
});

export const shortestPin = 6;
export const longestPin = 12;

/** Whether a PIN is easy to guess: one digit repeated, or digits that count up or down. */
const isEasyPin = (pin: string): boolean =>
  [0, 1, 9].some((step) =>
    Array.from(pin).every((digit, at) => at === 0 || (Number(pin[at - 1]) + step) % 10 === Number(digit)),
  );

/** A signing PIN as its owner chooses it. */
export const newPin = z
  .string({ error: () => t`PIN is required` })
  .trim()
  .min(1, { error: () => t`PIN is required` })
  .refine((pin) => pin.length >= shortestPin && pin.length <= longestPin && /^\d*$/.test(pin), {
    error: () => t`Use ${shortestPin} to ${longestPin} digits`,
  })
  .refine((pin) => !isEasyPin(pin), {
    error: () => t`This PIN is too easy to guess. Avoid repeated and consecutive digits.`,
  });

/** Proof of identity of the caller. The call and the setting of the organization decide which field is used. */
export const signerProof = {
  password: z
    .string()
    .max(256, { error: () => t`Password is too long` })
    .optional(),
  /** A code of the authenticator app. */
  code: z
    .string()
    .trim()
    .max(64, { error: () => t`The code is too long` })
    .optional(),
};

/** A PNG or SVG picture as a data URL. */
export const signatureData = z.string().max(280_000, { error: () => t`The signature is larger than 200 KB` });

export const signingMeans = z.object({
  /** Proof that the organization has chosen. */
  proof: z.enum(signingProofs),
  /** Name and credentials of the caller as a signature shows them. */
  signer: z.object({ name: z.string(), credentials: z.string() }),
  /** Whether the caller has a valid password. If not, the caller signs in again at the provider. */
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** Time when the PIN was set; null without a PIN. */
  pinSince: z.string().nullable(),
  /** The caller's saved signature as an image; null without one. */
  savedSignature: z.string().nullable(),
});
export type SigningMeans = z.infer<typeof signingMeans>;

/** The caller's saved signature and signing PIN. No call accepts another user. */
export const signingMeansCalls = {
  read: get('/account/signing-means', { can: 'report.finalize', audited: notAudited.own, reply: signingMeans }),
  saveSignature: put('/account/signature', {
    can: 'report.finalize',
    audited: 'saved_signature.save',
    body: z.object({ signatureData: signatureData.min(1, { error: () => t`Signature is required` }), ...signerProof }),
    reply: signingMeans,
  }),
  removeSignature: post('/account/signature/remove', {
    can: 'report.finalize',
    audited: 'saved_signature.remove',
    body: z.object(signerProof),
    reply: signingMeans,
  }),
  /** Sets the PIN. Requires a password, a code or a new sign-in at the provider, even after a recent sign-in. */
  setPin: put('/account/signing-pin', {
    can: 'report.finalize',
    audited: 'signing_pin.set',
    body: z.object({ pin: newPin, ...signerProof }),
    reply: signingMeans,
  }),
  removePin: post('/account/signing-pin/remove', {
    can: 'report.finalize',
    audited: 'signing_pin.remove',
    body: z.object(signerProof),
    reply: signingMeans,
  }),
};

export const noun = {
  calls: [signingMeansCalls],
  actions: {
    'Sign-in and permissions': {
      'signing_pin.set': 'Set signing PIN',
      'signing_pin.remove': 'Removed signing PIN',
      'signing_pin.refuse': 'Entered wrong signing PIN',
      'signing_pin.lock': 'Locked signing PIN',
      'saved_signature.save': 'Saved signature',
      'saved_signature.remove': 'Removed saved signature',
      'signing_means.forget': 'Removed signature and PIN set during a hold',
    },
  },
} as const satisfies Noun;
