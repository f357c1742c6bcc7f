import type { ExamFacts, GlobalTemplate, Template, TemplateText } from '@radwork/contract/reading/templates';

const text = (overrides: Partial<TemplateText>): TemplateText => ({
  name: 'CT chest',
  description: 'CT of the thorax',
  modality: 'CT',
  bodyPart: 'CHEST',
  isActive: true,
  content: '',
  sections: [
    { name: 'Technique', content: '<p>CT for {{patient.name}}.</p>', order: 1 },
    { name: 'Findings', content: '<p>Lungs: [lungs]</p>', order: 2 },
  ],
  normalFindings: [{ bodyPart: 'CHEST', modality: 'CT', content: '<p>Lungs are clear.</p>' }],
  ...overrides,
});

/** A template as the server returns it. */
export const templateFor = (overrides: Partial<Template> = {}): Template => ({
  ...text(overrides),
  id: 't1',
  version: 1,
  updatedBy: 'Ada Admin',
  updatedAt: '2026-11-20T10:00:00Z',
  useCount: 0,
  lastUsedAt: null,
  copiedFrom: null,
  ...overrides,
});

/** A global template of the product. */
export const globalFor = (overrides: Partial<GlobalTemplate> = {}): GlobalTemplate => ({
  ...text(overrides),
  id: 'g1',
  version: 1,
  isStarter: true,
  updatedBy: '',
  updatedAt: null,
  ...overrides,
});

export const chestCt: ExamFacts = {
  modality: 'CT',
  modalities: ['CT'],
  description: 'CT thorax with contrast',
  bodyParts: ['CHEST'],
};

export const pageOfTemplates = (content: Template[], totalElements = content.length) => ({
  content,
  totalElements,
  totalPages: 1,
  number: 0,
  size: 200,
});
