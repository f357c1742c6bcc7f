import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { libraryQuery, optionalText, requiredText, knownRevision, subject } from './library-text.ts';
import { page } from '../core/paging.ts';
import { type FileExtension, storedFile } from '../imaging/stored-files.ts';

export const atlasForm = z.object({
  title: requiredText(() => t`Title`, 200),
  author: requiredText(() => t`Author`, 120),
  ...subject,
  summary: optionalText(() => t`Summary`, 5000),
});
export type AtlasForm = z.output<typeof atlasForm>;

export const atlasEntry = z.object({
  id: z.string(),
  title: z.string(),
  author: z.string(),
  modality: z.string(),
  bodyPart: z.string(),
  summary: z.string(),
  files: z.array(storedFile),
  revision: z.number(),
  updatedBy: z.string(),
  updatedAt: z.string(),
});
export type AtlasEntry = z.infer<typeof atlasEntry>;

export const atlasFiles: readonly FileExtension[] = ['pdf', 'jpg', 'jpeg', 'png', 'dicom', 'dcm'];

const upload = { part: 'atlas', files: ['files', 'attachments'] } as const;

/** Reference cases, which all users except patients can read. */
export const atlas = {
  /** Returns the newest entries first. In a search, matches in the title come first. */
  list: get('/atlas', { can: 'staff', audited: notAudited.noPatient, query: libraryQuery, reply: page(atlasEntry) }),
  get: get('/atlas/:id', { can: 'staff', audited: notAudited.noPatient, reply: atlasEntry }),
  create: post('/atlas', { can: 'atlas.manage', audited: 'atlas.create', body: atlasForm, upload, reply: atlasEntry }),
  /** Changes an entry and adds files to its existing files. A form without text only adds files. */
  update: put('/atlas/:id', {
    can: 'atlas.manage',
    audited: 'atlas.update',
    body: atlasForm.extend(knownRevision).optional(),
    upload,
    reply: atlasEntry,
  }),
  remove: del('/atlas/:id', { can: 'atlas.manage', audited: 'atlas.delete' }),
  removeFile: del('/atlas/:id/files/:fileId', { can: 'atlas.manage', audited: 'atlas.delete_file' }),
};

export const noun = {
  calls: [atlas],
  entities: ['atlas'],
  actions: {
    'Atlas and guidelines': {
      'atlas.create': 'Created atlas entry',
      'atlas.update': 'Edited atlas entry',
      'atlas.delete': 'Deleted atlas entry',
      'atlas.delete_file': 'Deleted atlas file',
    },
  },
} as const satisfies Noun;
