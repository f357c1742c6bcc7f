import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** The proof that an organization requires to sign. RECENT_SIGN_IN counts for `signInCountsFor` minutes (C43). */
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

/** One digit repeated, or digits that count up or down: these are guessed first. */
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

/** A proof of the caller. The call and the organization decide which field counts. */
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
  /** The choice of the organization. */
  proof: z.enum(signingProofs),
  /** The caller as a signature shows them. */
  signer: z.object({ name: z.string(), credentials: z.string() }),
  /** Whether there is a password that counts; without one the caller signs in again at the provider. */
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  /** When the PIN was set; null without one. */
  pinSince: z.string().nullable(),
  /** The caller's own picture; null without one. */
  savedSignature: z.string().nullable(),
});
export type SigningMeans = z.infer<typeof signingMeans>;

/** The caller's means to sign. All of it belongs to the caller alone: no call names another person. */
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
  /** A PIN takes a password, a code or a new sign-in at the provider, however recent the last sign-in is. */
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
