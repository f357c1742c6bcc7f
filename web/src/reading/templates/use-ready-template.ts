import type { Reply } from '@radwork/contract/core/endpoint';
import { isUnknown } from '@radwork/contract/reading/template-match';
import { laidOutHtml } from '@radwork/contract/reading/template-text';
import { templateFacts, templates } from '@radwork/contract/reading/templates';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { query } from '#core/http/api.ts';
import { readPreference } from '#core/state/preferences.ts';
import { type RankedTemplate, useAvailableTemplates } from './use-templates.ts';

/** Longest wait for the template in ms. Then the report opens empty, and the writer can still select a template. */
const patience = 1500;

type TemplateFacts = Reply<typeof templateFacts.ofStudy>;

/** The text with which a first report begins; pending until it is known, or known not to exist. */
export type ReadyTemplate = { readyText: ReadyText | undefined; isPending: boolean };

/** Returns the template that the reader chose last for this kind of study, or else the best match. */
export const preferredTemplate = (
  ranked: readonly RankedTemplate[],
  chosenId: string | null | undefined,
): RankedTemplate | undefined =>
  ranked.find(({ template }) => template.id === chosenId && template.isActive) ??
  ranked.find(({ match, template }) => match && template.isActive);

/** The filled text of a template, and the ID of the patient record with which it was filled. */
export type ReadyText = { html: string; patientRecordId: string };

/**
 * Returns the template that a new report begins with: only one that fits, because another could describe the wrong organs
 * as normal. Without body part and description, this is a template without a body part that the reader chose last.
 */
const templateToLayOut = (ranked: readonly RankedTemplate[], { exam, chosenTemplateId }: TemplateFacts) => {
  const fitting = isUnknown(exam)
    ? ranked.flatMap(({ template, ...one }) =>
        template.bodyPart === '' ? [{ ...one, template, match: undefined }] : [],
      )
    : ranked.filter(({ match }) => match !== undefined);
  return preferredTemplate(fitting, chosenTemplateId);
};

/**
 * Returns the text of the template that fits a study best, with filled merge fields. Undefined if no template fits or
 * the server does not answer in time. While it is not needed, it fetches nothing and stays pending. The facts of the
 * study are fetched again at each opening, because the study may have moved to another patient.
 */
export const useReadyTemplate = (studyId: string, { isNeeded }: { isNeeded: boolean }): ReadyTemplate => {
  const fetched = useQuery({
    ...query(templateFacts.ofStudy, { params: { id: studyId } }),
    refetchOnMount: 'always',
    // Fetches also when it becomes needed after other parts of the page have fetched the facts.
    staleTime: 0,
    enabled: isNeeded,
  });
  const isFresh = fetched.isFetchedAfterMount && !fetched.isFetching;
  // Pending only at first: a later fetch must not close the editor.
  const facts = {
    data: isFresh ? fetched.data : undefined,
    error: fetched.error,
    isPending: !fetched.isFetchedAfterMount,
  };
  const { ranked, isPending, error } = useAvailableTemplates({}, facts.data?.exam, { isNeeded });
  const best = facts.data && templateToLayOut(ranked, facts.data);
  const isOwn = best !== undefined && !best.isGlobal;
  const own = useQuery({ ...query(templates.get, { params: { id: best?.template.id ?? '' } }), enabled: isOwn });
  const isLate = useIsLate(isNeeded);
  const template = isOwn ? own.data : best?.template;
  const isWaiting = isPending || facts.isPending || (isOwn && own.isPending);
  if (isWaiting && !error && !facts.error && !isLate) return { readyText: undefined, isPending: true };
  if (!template || !facts.data) return { readyText: undefined, isPending: false };
  const isNormal = readPreference('templates.normal', ['off', 'on']) === 'on';
  const { exam, values, patientRecordId } = facts.data;
  const html = laidOutHtml(template, { normal: isNormal, exam, values });
  return { readyText: { html, patientRecordId }, isPending: false };
};

const useIsLate = (isNeeded: boolean): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isNeeded) return undefined;
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, [isNeeded]);
  return isLate;
};
