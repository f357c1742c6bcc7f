import { reports } from '@radwork/contract/reading/reports';
import { rejections } from '@radwork/contract/imaging/rejections';
import { studies } from '@radwork/contract/imaging/studies';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { workflow } from '@radwork/contract/reading/workflow';
import { createConversation } from './conversation.ts';
import { answer, answerBytes } from './screen.tsx';
import { historyOf, workOf } from './study-work.ts';
import { jane } from './written-report.ts';

const noPicture = () => new Response(null, { status: 404 });

/**
 * Answers all requests of a study screen, for a study without events and images. Answers given earlier take precedence.
 */
export const studyPageAnswers = (study: StudyDetails) => [
  answer(studies.get, () => study),
  answer(studies.tags, () => []),
  answer(studies.priors, () => []),
  answer(studies.audit, () => []),
  answer(rejections.list, () => []),
  answer(reports.ofStudy, () => ({ report: null, patient: jane, canCreate: true, reasons: [], readingBy: null })),
  answer(workflow.read, () => workOf({ status: study.status })),
  answer(workflow.history, () => historyOf([])),
  ...Object.values(createConversation().answers),
  answerBytes('/api/wado-rs/studies/:uid/rendered', noPicture),
  answerBytes('/api/wado-rs/studies/:uid/series/:series/rendered', noPicture),
];
