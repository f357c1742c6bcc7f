import type { PassageKind, SentText } from '@radwork/contract/reading/drafting';
import type { DraftRequest } from './drafter.ts';
import { findingsIn } from './read-findings.ts';

/** Instructions for every request. All prompts of the product are in this file. */
const instructions = [
  'You draft wording for a radiologist, who checks every word before it is signed.',
  'Use only the facts that are given. Never add a finding, a measurement, a side, a comparison, a date or an advice that is not among them, and never leave one out.',
  'Keep every number and unit as it is written. Keep items in square brackets, such as [DATE 1], exactly as they are: they stand for details that were withheld from you.',
  'Answer in the language of the text that you are given, with that text alone: no introduction, no explanation, no markup.',
].join('\n');

const tasks: Record<PassageKind, string> = {
  IMPRESSION:
    'Write the impression of this report: the conclusions of what was found, most important first, one to a line.',
  REPORT:
    'Write the report of this study from these findings. Put each heading on a line of its own, ending with a colon, and the sentences under it. End with the heading "Impression:".',
  ENHANCEMENT:
    'Put the wording of this passage of a report right. Say exactly the same in clear radiological language.',
};

const labeled = (label: string, text: string): string[] => (text.trim() === '' ? [] : [`${label}:\n${text.trim()}`]);

/** Returns everything that is sent to a model. The request must contain no identifiers. */
export const promptFor = ({ kind, text, studyDescription, clinicalInfo, sections }: DraftRequest): SentText => ({
  instructions,
  prompt: [
    tasks[kind],
    ...labeled('Study', studyDescription),
    ...labeled('Clinical information', clinicalInfo),
    ...(kind === 'REPORT' ? labeled('Headings to use', sections.map(({ heading }) => heading).join('\n')) : []),
    ...labeled(
      kind === 'ENHANCEMENT' ? 'Passage' : 'Findings',
      kind === 'IMPRESSION' ? findingsIn(text) || text : text,
    ),
  ].join('\n\n'),
});

/** The prompt that tests a provider. It contains no patient data. */
export const testPrompt: SentText = { instructions, prompt: 'Answer with the one word: ready' };
