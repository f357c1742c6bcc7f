import { escapeHtml } from '@radwork/contract/reading/merge-fields';
import type { GlobalTemplate } from '@radwork/contract/reading/templates';
import { chestExams } from './starter/chest.ts';
import { abdomenExams } from './starter/abdomen.ts';
import { breastAndHeartExams } from './starter/breast-and-heart.ts';
import { headAndNeckExams } from './starter/head-and-neck.ts';
import { musculoskeletalExams } from './starter/musculoskeletal.ts';
import type { Exam } from './starter/exam.ts';

/** The ids are the same in all installations and versions, so that copies keep a valid reference. */
const idOf = (number: number): string => `0197c0de-0000-7000-8000-${String(number).padStart(12, '0')}`;

const paragraph = (words: string): string => `<p>${escapeHtml(words)}</p>`;

const byOrgan = (findings: readonly (readonly [organ: string, words: string])[]): string =>
  findings.map(([organ, words]) => `<p><strong>${escapeHtml(organ)}:</strong> ${escapeHtml(words)}</p>`).join('');

const numbered = (items: readonly string[]): string =>
  `<ol>${items.map((item) => `<li>${paragraph(item)}</li>`).join('')}</ol>`;

const toTemplate = (exam: Exam): GlobalTemplate => {
  const sections = [
    { name: 'Indication', content: paragraph(exam.indication ?? '{{study.clinicalHistory}}') },
    { name: 'Technique', content: paragraph(exam.technique) },
    { name: 'Comparison', content: paragraph('{{comparison.description}}, {{comparison.date}}') },
    { name: 'Findings', content: byOrgan(exam.findings.map(([organ, prompt]) => [organ, prompt])) },
    { name: 'Impression', content: numbered(exam.impression ?? ['[impression]']) },
  ];
  return {
    id: idOf(exam.number),
    name: exam.name,
    description: exam.description,
    modality: exam.modality,
    bodyPart: exam.bodyPart,
    version: 1,
    isActive: true,
    isStarter: true,
    updatedBy: '',
    updatedAt: null,
    content: '',
    sections: sections.map((section, index) => ({ ...section, order: index + 1 })),
    normalFindings: [
      {
        bodyPart: exam.bodyPart,
        modality: exam.modality,
        content: byOrgan(exam.findings.map(([organ, , normal]) => [organ, normal])),
      },
    ],
  };
};

/** The starter templates of the product by name, for the daily examinations of most departments. */
export const starterTemplates: readonly GlobalTemplate[] = [
  ...chestExams,
  ...abdomenExams,
  ...headAndNeckExams,
  ...musculoskeletalExams,
  ...breastAndHeartExams,
]
  .map(toTemplate)
  .toSorted((one, other) => one.name.localeCompare(other.name));
