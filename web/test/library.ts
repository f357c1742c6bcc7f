import { atlas, type AtlasEntry } from '@radwork/contract/knowledge/atlas';
import { guidelines, type Guideline } from '@radwork/contract/knowledge/guidelines';
import type { StoredFile } from '@radwork/contract/imaging/stored-files';
import { answer } from './screen.tsx';

export const storedFileOf = (differences: Partial<StoredFile> = {}): StoredFile => ({
  id: 'f1',
  filename: 'chart.pdf',
  contentType: 'application/pdf',
  size: 2048,
  frames: null,
  ...differences,
});

const textFields = {
  author: 'Dr Ito',
  modality: '',
  bodyPart: '',
  revision: 4,
  updatedBy: 'Mona Haddad',
  updatedAt: '2026-11-20T10:00:00Z',
};

export const entryOf = (differences: Partial<AtlasEntry> = {}): AtlasEntry => ({
  id: 'a1',
  title: 'Pulmonary embolism',
  summary: '',
  files: [storedFileOf()],
  ...textFields,
  ...differences,
});

export const guidelineOf = (differences: Partial<Guideline> = {}): Guideline => ({
  id: 'g1',
  title: 'Contrast reactions',
  content: 'Stop the infusion first.\n\n  Then call.',
  attachments: [storedFileOf()],
  ...textFields,
  ...differences,
});

const pageOf = <T>(content: T[]) => ({ content, totalElements: content.length, totalPages: 1, number: 0, size: 10 });

/** Answers requests for the atlas with these entries. */
export const answerAtlas = (...entries: AtlasEntry[]) => [
  answer(atlas.list, () => pageOf(entries)),
  answer(atlas.get, ({ url }) => entries.find(({ id }) => url.pathname.endsWith(id)) ?? entryOf()),
];

export const answerGuidelines = (...texts: Guideline[]) => [
  answer(guidelines.list, () => pageOf(texts)),
  answer(guidelines.get, ({ url }) => texts.find(({ id }) => url.pathname.endsWith(id)) ?? guidelineOf()),
];
