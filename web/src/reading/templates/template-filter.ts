import { t } from '@lingui/core/macro';
import { modalitiesMatching } from '@radwork/contract/core/modalities';
import type { TemplateText } from '@radwork/contract/reading/templates';

/** Filters of a list of templates. A body part requires a modality. */
export type TemplateFilter = {
  modality?: string | undefined;
  bodyPart?: string | undefined;
  q?: string | undefined;
  isActive?: boolean | undefined;
};

const wordsIn = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Whether a filter matches a template. The server uses the same rules. */
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

/** Everyday names for body parts whose DICOM terms are uncommon. */
const bodyPartNames: Record<string, string> = {
  ABDOMENPELVIS: t`Abdomen and pelvis`,
  CSPINE: t`Cervical spine`,
  TSPINE: t`Thoracic spine`,
  LSPINE: t`Lumbar spine`,
};

/** Returns a readable body part, such as "Chest". */
export const bodyPartLabel = (bodyPart: string): string =>
  bodyPartNames[bodyPart] ?? bodyPart.charAt(0) + bodyPart.slice(1).toLowerCase().replaceAll('_', ' ');
