import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { libraryQuery, requiredText, knownRevision, subject } from './library-text.ts';
import { page } from '../core/paging.ts';
import { type FileExtension, storedFile } from '../imaging/stored-files.ts';

export const guidelineForm = z.object({
  title: requiredText(() => t`Title`, 200),
  author: requiredText(() => t`Author`, 120),
  /** Plain text, shown as typed. */
  content: requiredText(() => t`Content`, 100_000),
  ...subject,
});
export type GuidelineForm = z.output<typeof guidelineForm>;

export const guideline = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  content: z.string(),
  modality: z.string(),
  bodyPart: z.string(),
  attachments: z.array(storedFile),
  revision: z.number(),
  updatedBy: z.string(),
  updatedAt: z.string(),
});
export type Guideline = z.infer<typeof guideline>;

export const guidelineFiles: readonly FileExtension[] = ['pdf', 'doc', 'docx', 'jpg', 'jpeg', 'png', 'txt'];

const upload = { part: 'guideline', files: ['files', 'attachments'] } as const;

/** Guidelines of an organization, which all users except patients can read. */
export const guidelines = {
  /** Returns the newest guidelines first. In a search, matches in the title come first. */
  list: get('/guidelines', {
    can: 'staff',
    audited: notAudited.noPatient,
    query: libraryQuery,
    reply: page(guideline),
  }),
  get: get('/guidelines/:id', { can: 'staff', audited: notAudited.noPatient, reply: guideline }),
  create: post('/guidelines', {
    can: 'guideline.manage',
    audited: 'guideline.create',
    body: guidelineForm,
    upload,
    reply: guideline,
  }),
  /**
   * Changes a guideline and adds attachments to its existing attachments. A form without text only adds attachments.
   */
  update: put('/guidelines/:id', {
    can: 'guideline.manage',
    audited: 'guideline.update',
    body: guidelineForm.extend(knownRevision).optional(),
    upload,
    reply: guideline,
  }),
  remove: del('/guidelines/:id', { can: 'guideline.manage', audited: 'guideline.delete' }),
  removeFile: del('/guidelines/:id/files/:fileId', { can: 'guideline.manage', audited: 'guideline.delete_file' }),
};

export const noun = {
  calls: [guidelines],
  entities: ['guideline'],
  actions: {
    'Atlas and guidelines': {
      'guideline.create': 'Created guideline',
      'guideline.update': 'Edited guideline',
      'guideline.delete': 'Deleted guideline',
      'guideline.delete_file': 'Deleted guideline attachment',
    },
  },
} as const satisfies Noun;
