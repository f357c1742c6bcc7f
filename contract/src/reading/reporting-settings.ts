import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { get, post, put, notAudited, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { signingProofs } from '../identity/signing-means.ts';
import { connectionTest } from '../core/connection-test.ts';

/** Providers of drafts: none, built-in rules that send no text, Google, or any OpenAI-compatible server. */
export const aiProviders = ['NONE', 'RULES', 'GEMINI', 'OPENAI'] as const;
export type AiProvider = (typeof aiProviders)[number];

export const aiProviderNames: Record<AiProvider, string> = {
  NONE: 'No drafting',
  RULES: 'Built-in drafter',
  GEMINI: 'Google Gemini',
  OPENAI: 'OpenAI-compatible server',
};

/** Whether a provider receives texts outside this server. An administrator must agree first. */
export const isRemoteProvider = (provider: AiProvider): boolean => provider === 'GEMINI' || provider === 'OPENAI';

/** Default address of Gemini. */
export const geminiAddress = 'https://generativelanguage.googleapis.com/v1beta';

/** Settings of the tenant for users who write reports. */
export const writingSettings = z.object({
  isDictationAllowed: z.boolean(),
  dictation: z.object({
    /** Host and port of the dictation server. Empty if the organization has none. */
    server: z.string(),
    /** Whether users may dictate with the recognizer of their browser, which may send the voice to its vendor. */
    isBrowserAllowed: z.boolean(),
  }),
  drafting: z.object({
    /** Whether drafting is available. False without a provider, or if a remote provider lacks settings or agreement. */
    isOn: z.boolean(),
    provider: z.enum(aiProviders),
    providerName: z.string(),
    model: z.string(),
    /** Host and port that receive the texts. Empty if they stay on this server. */
    whereTextGoes: z.string(),
    isRuleBased: z.boolean(),
  }),
  /** Time limits in minutes for communicating a finding, by severity. */
  clocks: z.object({ CRITICAL: z.number(), URGENT: z.number(), SIGNIFICANT: z.number() }),
  isSignatureRequired: z.boolean(),
  isReviewRequired: z.boolean(),
  isLinkCodeRequired: z.boolean(),
  linkDays: z.number(),
  /** Whether referring physicians see preliminary reports. */
  showsPreliminary: z.boolean(),
});
export type WritingSettings = z.infer<typeof writingSettings>;

const minutes = z
  .number({ error: () => t`Enter a number of minutes` })
  .int({ error: () => t`Enter whole minutes` })
  .min(1, { error: () => t`Use at least 1 minute` })
  .max(525_600, { error: () => t`Choose a period of at most 1 year` });

const letterheadText = z
  .string()
  .trim()
  .max(2000, { error: () => t`Use at most 2,000 characters` });

/**
 * Second identifier on a report, in addition to the name. If the patient does not have this identifier, the next
 * identifier is used.
 */
export const reportIdentifiers = ['BIRTH_DATE', 'PATIENT_ID', 'ACCESSION_NUMBER'] as const;
export type ReportIdentifier = (typeof reportIdentifiers)[number];

export const reportIdentifierLabels: Record<ReportIdentifier, string> = translated({
  BIRTH_DATE: 'Date of birth',
  PATIENT_ID: 'Patient ID',
  ACCESSION_NUMBER: 'Accession number',
});

/** Size of the largest logo in bytes, before base64. */
export const largestLogo = 200 * 1024;
const logoDataUrl = z
  .string()
  .regex(/^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$/, {
    error: () => t`The logo must be a PNG or JPEG image`,
  })
  .max(Math.ceil((largestLogo * 4) / 3) + 64, { error: () => t`The logo is larger than 200 KB` });

const editableSettings = z.object({
  isDictationAllowed: z.boolean(),
  isBrowserDictationAllowed: z.boolean(),
  /** Base URL of the dictation server, before "/audio/transcriptions". Empty if there is none. */
  dictationUrl: z
    .string()
    .trim()
    .max(2000, { error: () => t`Use at most 2,000 characters` }),
  /** Model that the dictation server uses. */
  dictationModel: z
    .string()
    .trim()
    .max(200, { error: () => t`Use at most 200 characters` }),
  aiProvider: z.enum(aiProviders, { error: () => t`Choose a drafting service` }),
  aiModel: z
    .string()
    .trim()
    .max(200, { error: () => t`Use at most 200 characters` }),
  aiBaseUrl: z
    .string()
    .trim()
    .max(2000, { error: () => t`Use at most 2,000 characters` }),
  criticalMinutes: minutes,
  urgentMinutes: minutes,
  significantMinutes: minutes,
  isLinkCodeRequired: z.boolean(),
  linkDays: z
    .number({ error: () => t`Enter a number of days` })
    .int({ error: () => t`Enter whole days` })
    .min(1, { error: () => t`Use at least 1 day` })
    .max(3650, { error: () => t`Use at most 10 years` }),
  isReviewRequired: z.boolean(),
  isSignatureRequired: z.boolean(),
  /** Proof of identity that signing requires. */
  signingProof: z.enum(signingProofs, { error: () => t`Choose a proof of the signer` }),
  letterhead: letterheadText,
  letterheadFooter: letterheadText,
  /** Contact for questions, printed on each report. */
  reportContact: z
    .string()
    .trim()
    .max(300, { error: () => t`Use at most 300 characters` }),
  reportIdentifier: z.enum(reportIdentifiers, { error: () => t`Choose an identifier` }),
  letterheadLogo: z.string().nullable(),
  isReportStoredAsDicom: z.boolean(),
  /** Whether referring physicians see preliminary reports. */
  showsPreliminary: z.boolean(),
  /** Minutes without input after which a study that a reader opened from the queue is free for others. */
  readingClaimMinutes: z
    .number({ error: () => t`Enter a number of minutes` })
    .int({ error: () => t`Enter whole minutes` })
    .min(2, { error: () => t`Use at least 2 minutes` })
    .max(240, { error: () => t`Use at most 4 hours` }),
});

/** All reporting settings, for an administrator. Secrets are not included, only whether a key exists. */
export const reportingSettingsOfTenant = editableSettings.extend({
  revision: z.number(),
  hasAiKey: z.boolean(),
  hasDictationKey: z.boolean(),
  /** User who agreed to send texts without identifiers to the provider, and the time. Empty and null until then. */
  aiAgreedBy: z.string(),
  aiAgreedAt: z.string().nullable(),
});
export type ReportingSettings = z.infer<typeof reportingSettingsOfTenant>;

const webAddress = z.url({ protocol: /^https?$/, hostname: /./ });

/** Whether an address can be the base URL of a service: no query, fragment or password. */
const isBaseUrl = (address: string): boolean =>
  webAddress.safeParse(address).success && !/[?#\\]|^https?:\/\/[^/]*@/i.test(address);

type Ai = { aiProvider: AiProvider; aiModel: string; aiBaseUrl: string };

const objectionsTo = ({ aiProvider, aiModel, aiBaseUrl }: Ai): Record<string, string> => {
  if (!isRemoteProvider(aiProvider)) return {};
  const address = aiBaseUrl === '' && aiProvider === 'GEMINI' ? geminiAddress : aiBaseUrl;
  return {
    ...(aiModel === '' && { aiModel: t`Model is required` }),
    ...(!isBaseUrl(address) && { aiBaseUrl: t`Please enter a valid URL` }),
  };
};

const addObjections = (form: Ai, context: z.core.$RefinementCtx): void => {
  for (const [field, message] of Object.entries(objectionsTo(form))) {
    context.addIssue({ code: 'custom', path: [field], message });
  }
};

const dictationAddress = editableSettings.shape.dictationUrl.refine((address) => address === '' || isBaseUrl(address), {
  error: () => t`Please enter a valid URL`,
});

/** Dictation server of the form. If the key is empty, the stored key stays, as long as the origin is the same. */
export const dictationServerForm = z.object({
  dictationUrl: dictationAddress.refine((address) => address !== '', { error: () => t`Address is required` }),
  dictationModel: editableSettings.shape.dictationModel,
  dictationKey: z.string().max(4096).default(''),
});
export type DictationServerForm = z.output<typeof dictationServerForm>;

/**
 * Provider fields of the form. If the key is empty, the stored key stays, as long as provider and origin are the same.
 */
const aiForm = {
  ...editableSettings.pick({ aiProvider: true, aiModel: true, aiBaseUrl: true }).shape,
  aiKey: z.string().max(4096),
};

export const reportingSettingsForm = editableSettings
  .extend({
    aiKey: aiForm.aiKey.default(''),
    dictationKey: z.string().max(4096).default(''),
    isBrowserDictationAllowed: editableSettings.shape.isBrowserDictationAllowed.optional(),
    dictationUrl: dictationAddress.optional(),
    dictationModel: editableSettings.shape.dictationModel.optional(),
    /** If an optional field is missing, the stored value stays. Older clients do not know these fields. */
    signingProof: editableSettings.shape.signingProof.optional(),
    readingClaimMinutes: editableSettings.shape.readingClaimMinutes.optional(),
    showsPreliminary: editableSettings.shape.showsPreliminary.optional(),
    letterheadLogo: logoDataUrl.nullable(),
    /**
     * Agreement to send texts without identifiers to the provider. Required again after any change of the destination.
     */
    isAiAgreed: z.boolean(),
    /** Revision on which the change is based. */
    revision: z.number().int().min(1),
  })
  .superRefine(addObjections)
  .superRefine(({ criticalMinutes, urgentMinutes, significantMinutes }, context) => {
    if (criticalMinutes > urgentMinutes) {
      context.addIssue({
        code: 'custom',
        path: ['urgentMinutes'],
        message: t`The limit must not be shorter than for critical findings`,
      });
    }
    if (urgentMinutes > significantMinutes) {
      context.addIssue({
        code: 'custom',
        path: ['significantMinutes'],
        message: t`The limit must not be shorter than for urgent findings`,
      });
    }
  });
export type ReportingSettingsForm = z.output<typeof reportingSettingsForm>;

export const aiConnectionForm = z.object({ ...aiForm, aiKey: aiForm.aiKey.default('') }).superRefine(addObjections);

export const reportingSettings = {
  forWriting: get('/reporting-settings', {
    can: 'authenticated',
    audited: notAudited.noPatient,
    reply: writingSettings,
  }),
  read: get('/reporting-settings/all', {
    can: 'config.manage',
    audited: notAudited.noPatient,
    reply: reportingSettingsOfTenant,
  }),
  save: put('/reporting-settings/all', {
    can: 'config.manage',
    audited: 'reporting_settings.update',
    body: reportingSettingsForm,
    reply: reportingSettingsOfTenant,
  }),
  /** Tests the given settings with a real request. If the key is empty, uses the stored key. */
  test: post('/reporting-settings/test', {
    can: 'config.manage',
    audited: asReading('reporting_settings.test', 'reporting_settings'),
    body: aiConnectionForm,
    reply: connectionTest,
  }),
};

export const noun = {
  calls: [reportingSettings],
  entities: ['reporting_settings'],
  actions: {
    Configuration: {
      'reporting_settings.update': 'Edited reporting settings',
      'reporting_settings.test': 'Tested AI settings',
    },
  },
} as const satisfies Noun;
