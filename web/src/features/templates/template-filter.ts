import { modalitiesMatching } from '@radwork/contract/modalities';
import type { TemplateText } from '@radwork/contract/templates';

/** What a list of templates is narrowed by. A body part is asked for only with a modality (check 152). */
export type TemplateFilter = {
  modality?: string | undefined;
  bodyPart?: string | undefined;
  q?: string | undefined;
  isActive?: boolean | undefined;
};

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a template is among those that a filter finds: as the server decides it for its own list. */
export const isFound = (template: TemplateText, { modality, bodyPart, q = '', isActive }: TemplateFilter): boolean => {
  const { name, description, sections } = template;
  const searched = [name, description, ...sections.map((section) => section.name)].join('\n').toLowerCase();
  return (
    (!modality || modalitiesMatching(modality).includes(template.modality)) &&
    (!bodyPart || template.bodyPart === bodyPart) &&
    (isActive === undefined || template.isActive === isActive) &&
    wordsIn(q).every((word) => searched.includes(word))
  );
};

/** DICOM's own words that are none of everyday language. */
const inWords: Record<string, string> = {
  ABDOMENPELVIS: 'Abdomen and pelvis',
  CSPINE: 'Cervical spine',
  TSPINE: 'Thoracic spine',
  LSPINE: 'Lumbar spine',
};

/** A part of the body as people read it: "Chest". */
export const bodyPartLabel = (bodyPart: string): string =>
  inWords[bodyPart] ?? bodyPart.charAt(0) + bodyPart.slice(1).toLowerCase().replaceAll('_', ' ');
