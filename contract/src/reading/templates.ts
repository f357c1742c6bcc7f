import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { modalities } from '../core/modalities.ts';
import { page, pageQuery } from '../core/paging.ts';
import { reportTextLimit } from './reports.ts';

/** Maximum length of HTML in characters. It is far above the length of a report. */
const longestHtml = 200_000;

const html = (what: () => string) =>
  z
    .string({ error: () => t`${what()} is required` })
    .max(longestHtml, { error: () => t`${what()} is longer than ${longestHtml.toLocaleString('en-US')} characters` });

const modality = z
  .string({ error: () => t`Modality is required` })
  .trim()
  .min(1, { error: () => t`Modality is required` })
  .toUpperCase()
  .pipe(z.enum(modalities, { error: () => t`Choose a modality from the list` }));

const bodyPart = z
  .string()
  .trim()
  .toUpperCase()
  .max(64, { error: () => t`The body part is longer than 64 characters` });

/** Body part as in DICOM: "CHEST", "LSPINE". Empty for any body part. */
const templateBodyPart = bodyPart.default('');

export const templateSection = z.object({
  name: z
    .string({ error: () => t`Section name is required` })
    .trim()
    .min(1, { error: () => t`Section name is required` })
    .max(80, { error: () => t`The section name is longer than 80 characters` }),
  content: html(() => t`The content`).default(''),
  order: z.number().int().min(0).max(10_000).default(0),
});

/** Text for a body part without abnormalities. */
export const normalFinding = z.object({
  bodyPart: templateBodyPart,
  modality: z.union([modality, z.literal('')]).default(''),
  content: html(() => t`The content`).default(''),
});

/** A list of normal findings. Other clients may send a single object. */
const normalFindings = z
  .preprocess(
    (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : (value ?? [])),
    z.array(normalFinding).max(20, { error: () => t`Use at most 20 normal findings` }),
  )
  .default([]);

export const mostSections = 40;
export const tooManySections = () => t`Use at most ${mostSections} sections`;

export const templateForm = z.object({
  name: z
    .string({ error: () => t`Name is required` })
    .trim()
    .min(1, { error: () => t`Name is required` })
    .max(120, { error: () => t`The name is longer than 120 characters` }),
  description: z
    .string()
    .trim()
    .max(500, { error: () => t`The description is longer than 500 characters` })
    .default(''),
  modality,
  bodyPart: templateBodyPart,
  isActive: z.boolean().default(true),
  content: html(() => t`The content`).default(''),
  sections: z.array(templateSection).max(mostSections, { error: tooManySections }).default([]),
  normalFindings,
});
export type TemplateForm = z.output<typeof templateForm>;

export const nothingToInsert = () => t`Add at least one section or some content`;

/** Whether a template has content or a section, one of which is required. */
const hasText = ({ content, sections }: Pick<TemplateForm, 'content' | 'sections'>) =>
  content.trim() !== '' || sections.length > 0;
const textMissing = { path: ['sections'], error: nothingToInsert };

/** A changed template. `revision`, or `version` from a response, names the version on which the change is based. */
const templateChange = templateForm
  .safeExtend({ revision: z.number().int().optional(), version: z.number().int().optional() })
  .refine(hasText, textMissing)
  .refine(({ revision, version }) => (revision ?? version) !== undefined, {
    path: ['revision'],
    error: () => t`Version of the template is required`,
  });

/** Text of a template, stored with each version. */
export const templateText = z.object({
  name: z.string(),
  description: z.string(),
  modality: z.string(),
  bodyPart: z.string(),
  isActive: z.boolean(),
  content: z.string(),
  sections: z.array(z.object({ name: z.string(), content: z.string(), order: z.number() })),
  normalFindings: z.array(z.object({ bodyPart: z.string(), modality: z.string(), content: z.string() })),
});
export type TemplateText = z.infer<typeof templateText>;

export const template = templateText.extend({
  id: z.string(),
  /** Number of the version, from 1. A change must name the version that the caller saw. */
  version: z.number(),
  /** Author of this version. Empty for templates of the product. */
  updatedBy: z.string(),
  updatedAt: z.string(),
  /** Number of times that the template was inserted into a report. */
  useCount: z.number(),
  lastUsedAt: z.string().nullable(),
  /** ID of the global template from which this template was copied. */
  copiedFrom: z.string().nullable(),
});
export type Template = z.infer<typeof template>;

export const templateVersion = templateText.extend({
  version: z.number(),
  savedBy: z.string(),
  savedAt: z.string(),
});
export type TemplateVersion = z.infer<typeof templateVersion>;

/** Template of the whole installation. All users can read it; users with `tenant.manage` can change it. */
export const globalTemplate = templateText.extend({
  id: z.string(),
  version: z.number(),
  /** Whether the template belongs to the product and cannot be changed. */
  isStarter: z.boolean(),
  updatedBy: z.string(),
  updatedAt: z.string().nullable(),
});
export type GlobalTemplate = z.infer<typeof globalTemplate>;

/** Template read from an IHE MRRT file, with the parts that were left out. Nothing is saved. */
export const readTemplate = z.object({ form: templateText, leftOut: z.array(z.string()) });
export type ReadTemplate = z.infer<typeof readTemplate>;

/** Size of the largest template file, in characters. */
export const largestTemplateFile = 512 * 1024;

/** Facts about a study by which templates are selected. */
export const examFacts = z.object({
  modality: z.string(),
  modalities: z.array(z.string()),
  description: z.string(),
  bodyParts: z.array(z.string()),
});
export type ExamFacts = z.infer<typeof examFacts>;

/** Size of the largest body in bytes: 1 MB of UTF-8 text, escaped for JSON. */
const largestBody = 4 << 20;

const yesOrNo = z
  .enum(['true', 'false'], { error: () => t`Use true or false for isActive` })
  .transform((text) => text === 'true')
  .optional();

/**
 * Templates contain no patient data. Users who read reports can read templates. Users with template.manage change the
 * templates of their organization; users with tenant.manage change global templates.
 */
export const templates = {
  /** Returns templates by name. `q` searches name, description and section names. */
  list: get('/templates', {
    can: 'report.view',
    audited: notAudited.noPatient,
    query: z.object({
      ...pageQuery,
      modality: z.string().trim().max(16).toUpperCase().optional(),
      bodyPart: bodyPart.optional(),
      isActive: yesOrNo,
      q: z
        .string()
        .trim()
        .max(200, { error: () => t`Search for at most 200 characters` })
        .optional(),
    }),
    reply: page(template),
  }),
  /** Returns the active templates of a modality by name. */
  ofModality: get('/templates/modality/:modality', {
    can: 'report.view',
    audited: notAudited.noPatient,
    reply: z.array(template),
  }),
  get: get('/templates/:id', { can: 'report.view', audited: notAudited.noPatient, reply: template }),
  /** Returns the versions with full text, newest first. */
  versions: get('/templates/:id/versions', {
    can: 'report.view',
    audited: notAudited.noPatient,
    reply: z.array(templateVersion),
  }),
  create: post('/templates', {
    can: 'template.manage',
    audited: 'template.create',
    body: templateForm.refine(hasText, textMissing),
    largestBody,
    reply: template,
  }),
  update: put('/templates/:id', {
    can: 'template.manage',
    audited: 'template.update',
    body: templateChange,
    largestBody,
    reply: template,
  }),
  /** Deletes a template that was never used. A used template becomes inactive and is returned. */
  remove: del('/templates/:id', { can: 'template.manage', audited: 'template.delete', reply: template.nullable() }),
  /** Records that the template was inserted into a report. */
  noteUse: post('/templates/:id/uses', {
    can: 'report.create',
    audited: unaudited('counts how often a template is used'),
  }),
  readMrrt: post('/templates/mrrt', {
    can: 'template.manage',
    audited: unaudited('reads the sent file and stores nothing'),
    body: z.object({
      html: z
        .string({ error: () => t`Choose a file` })
        .min(1, { error: () => t`The file is empty` })
        .max(largestTemplateFile, { error: () => t`The file is larger than 512 KB` }),
    }),
    largestBody,
    reply: readTemplate,
  }),
};

export const globalTemplates = {
  list: get('/templates/global', { can: 'report.view', audited: notAudited.noPatient, reply: z.array(globalTemplate) }),
  create: post('/templates/global', {
    can: 'tenant.manage',
    audited: 'template.createGlobal',
    body: templateForm.refine(hasText, textMissing),
    largestBody,
    reply: globalTemplate,
  }),
  update: put('/templates/global/:id', {
    can: 'tenant.manage',
    audited: 'template.updateGlobal',
    body: templateChange,
    largestBody,
    reply: globalTemplate,
  }),
  remove: del('/templates/global/:id', { can: 'tenant.manage', audited: 'template.deleteGlobal' }),
  /** Copies a global template into the caller's organization. */
  copy: post('/templates/global/:id/copies', { can: 'template.manage', audited: 'template.create', reply: template }),
};

/** Values of the merge fields for a study (merge-fields.ts), and facts by which templates are selected. */
export const templateFacts = {
  ofStudy: get('/studies/:id/template-facts', {
    can: 'report.create',
    audited: 'study.view',
    reply: z.object({
      /** ID of the patient record, so that a client can fetch again after a correction of the record. */
      patientRecordId: z.string(),
      values: z.record(z.string(), z.string().nullable()),
      exam: examFacts,
      /** Template that the caller chose last for this kind of study; null if there is none. It may no longer exist. */
      chosenTemplateId: z.string().nullable(),
    }),
  }),
  /** Remembers the template that the caller chose, for the next study of this kind. */
  choose: post('/studies/:id/template-choice', {
    can: 'report.create',
    audited: unaudited('remembers a preference of the caller'),
    body: z.object({ templateId: z.uuid({ error: () => t`Choose a template` }) }),
  }),
};

/** Maximum number of visible characters in a template. */
export const templateTextLimit = reportTextLimit;

export const noun = {
  calls: [templates, globalTemplates, templateFacts],
  entities: ['template'],
  actions: {
    Configuration: {
      'template.create': 'Created template',
      'template.update': 'Edited template',
      'template.delete': 'Deleted template',
      'template.deactivate': 'Deactivated template',
      'template.createGlobal': 'Created global template',
      'template.updateGlobal': 'Edited global template',
      'template.deleteGlobal': 'Deleted global template',
    },
  },
} as const satisfies Noun;
