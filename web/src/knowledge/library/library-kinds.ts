import { plural, t } from '@lingui/core/macro';
import { atlas, type AtlasEntry, atlasFiles, atlasForm } from '@radwork/contract/knowledge/atlas';
import { type Guideline, guidelineFiles, guidelineForm, guidelines } from '@radwork/contract/knowledge/guidelines';
import type { Page } from '@radwork/contract/core/paging';
import type { FileExtension, StoredFile } from '@radwork/contract/imaging/stored-files';
import type { z } from 'zod';
import { call } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';
import { callWithFiles } from '#core/http/upload.ts';

/** An atlas entry or a guideline, in a form that both share. */
export type Text = {
  id: string;
  title: string;
  author: string;
  modality: string;
  bodyPart: string;
  /** Summary of an atlas entry, or content of a guideline. */
  words: string;
  files: StoredFile[];
  revision: number;
  updatedBy: string;
};

export type Fields = Pick<Text, 'title' | 'author' | 'modality' | 'bodyPart' | 'words'>;
export type SendOptions = { files: readonly File[]; onShare: (share: number) => void; signal: AbortSignal };
type TextQuery = { q: string | undefined; page: number; size: number };

/** Endpoints and screen texts in which atlas and guidelines differ. */
export type LibraryKind = {
  /** First part of the query keys (api.ts). */
  noun: 'atlas' | 'guidelines';
  accept: readonly FileExtension[];
  schema: z.ZodType;
  /** Name of the text field in the contract. */
  wordsField: 'summary' | 'content';
  mayManage: () => boolean;
  list: (query: TextQuery, signal: AbortSignal) => Promise<Page<Text>>;
  get: (id: string, signal: AbortSignal) => Promise<Text>;
  /** Creates or updates a text. Without `fields`, only adds files. */
  save: (
    known: Pick<Text, 'id' | 'revision'> | undefined,
    fields: Fields | undefined,
    sending: SendOptions,
  ) => Promise<unknown>;
  remove: (id: string) => Promise<unknown>;
  removeFile: (id: string, fileId: string) => Promise<unknown>;
  says: {
    title: string;
    one: string;
    many: string;
    create: string;
    update: string;
    created: string;
    updated: string;
    deleted: string;
    failedToLoad: string;
    failedToSave: string;
    failedToDelete: string;
    askToDelete: string;

    files: string;
    noFiles: string;
    addFiles: string;
    selectFiles: string;
    filesAdded: string;
    fileDeleted: string;
    failedToAdd: string;
    failedToDeleteFile: string;
    askToDeleteFile: string;
    wordsLabel: string;
    wordsDetails: string;
    noWords: string;
    search: string;
    none: string;
    noMatch: (words: string) => string;
    verb: string;
    verbOfFile: string;
    filesIn: (count: number) => string;
  };
};

const ofEntry = ({ summary, ...entry }: AtlasEntry): Text => ({ ...entry, words: summary });
const ofGuideline = ({ content, attachments, ...guideline }: Guideline): Text => ({
  ...guideline,
  words: content,
  files: attachments,
});

const bodyOf = (field: LibraryKind['wordsField'], { words, ...fields }: Fields, revision?: number) => ({
  ...fields,
  [field]: words,
  ...(revision !== undefined && { revision }),
});

export const atlasKind: LibraryKind = {
  noun: 'atlas',
  accept: atlasFiles,
  schema: atlasForm,
  wordsField: 'summary',
  mayManage: () => may(atlas.create),
  list: async (query, signal) => {
    const page = await call(atlas.list, { query }, { signal });
    return { ...page, content: page.content.map(ofEntry) };
  },
  get: async (id, signal) => ofEntry(await call(atlas.get, { params: { id } }, { signal })),
  save: (known, fields, sending) =>
    callWithFiles(known ? atlas.update : atlas.create, {
      ...(known && { params: { id: known.id } }),
      body: fields && bodyOf('summary', fields, known?.revision),
      ...sending,
    }),
  remove: (id) => call(atlas.remove, { params: { id } }),
  removeFile: (id, fileId) => call(atlas.removeFile, { params: { id, fileId } }),
  says: {
    title: t`Medical Atlas Management`,
    one: t`Atlas`,
    many: t`atlases`,
    create: t`Create Atlas`,
    update: t`Update Atlas`,
    created: t`Atlas created successfully`,
    updated: t`Atlas updated successfully`,
    deleted: t`Atlas deleted successfully`,
    failedToLoad: t`Failed to load atlases`,
    failedToSave: t`Failed to save atlas`,
    failedToDelete: t`Failed to delete atlas`,
    askToDelete: t`Are you sure you want to delete this atlas?`,

    files: t`Files`,
    noFiles: t`No files uploaded`,
    addFiles: t`Add Files`,
    selectFiles: t`Select Files`,
    filesAdded: t`Files added successfully`,
    fileDeleted: t`File deleted successfully`,
    failedToAdd: t`Failed to add files`,
    failedToDeleteFile: t`Failed to delete file`,
    askToDeleteFile: t`Are you sure you want to delete this file?`,
    wordsLabel: t`Summary`,
    wordsDetails: t`summary`,
    noWords: t`No summary provided`,
    search: t`Search atlases`,
    none: t`No atlases`,
    noMatch: (words) => t`No atlases match “${words}”`,
    verb: t`Delete atlas`,
    verbOfFile: t`Delete file`,
    filesIn: (count) => t`${plural(count, { one: '# file', other: '# files' })}`,
  },
};

export const guidelineKind: LibraryKind = {
  noun: 'guidelines',
  accept: guidelineFiles,
  schema: guidelineForm,
  wordsField: 'content',
  mayManage: () => may(guidelines.create),
  list: async (query, signal) => {
    const page = await call(guidelines.list, { query }, { signal });
    return { ...page, content: page.content.map(ofGuideline) };
  },
  get: async (id, signal) => ofGuideline(await call(guidelines.get, { params: { id } }, { signal })),
  save: (known, fields, sending) =>
    callWithFiles(known ? guidelines.update : guidelines.create, {
      ...(known && { params: { id: known.id } }),
      body: fields && bodyOf('content', fields, known?.revision),
      ...sending,
    }),
  remove: (id) => call(guidelines.remove, { params: { id } }),
  removeFile: (id, fileId) => call(guidelines.removeFile, { params: { id, fileId } }),
  says: {
    title: t`Guidelines Management`,
    one: t`Guideline`,
    many: t`guidelines`,
    create: t`Create Guideline`,
    update: t`Update Guideline`,
    created: t`Guideline created successfully`,
    updated: t`Guideline updated successfully`,
    deleted: t`Guideline deleted successfully`,
    failedToLoad: t`Failed to load guidelines`,
    failedToSave: t`Failed to save guideline`,
    failedToDelete: t`Failed to delete guideline`,
    askToDelete: t`Are you sure you want to delete this guideline?`,

    files: t`Attachments`,
    noFiles: t`No attachments uploaded`,
    addFiles: t`Add Attachments`,
    selectFiles: t`Select Attachments`,
    filesAdded: t`Attachments added successfully`,
    fileDeleted: t`Attachment deleted successfully`,
    failedToAdd: t`Failed to add attachments`,
    failedToDeleteFile: t`Failed to delete attachment`,
    askToDeleteFile: t`Are you sure you want to delete this attachment?`,
    wordsLabel: t`Content`,
    wordsDetails: t`content`,
    noWords: t`No content`,
    search: t`Search guidelines`,
    none: t`No guidelines`,
    noMatch: (words) => t`No guidelines match “${words}”`,
    verb: t`Delete guideline`,
    verbOfFile: t`Delete attachment`,
    filesIn: (count) => t`${plural(count, { one: '# attachment', other: '# attachments' })}`,
  },
};
