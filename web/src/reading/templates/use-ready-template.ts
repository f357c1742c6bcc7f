import { laidOutHtml } from '@radwork/contract/reading/template-text';
import { templateFacts, templates } from '@radwork/contract/reading/templates';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { query } from '#core/http/api.ts';
import { readPreference } from '#core/state/preferences.ts';
import { type RankedTemplate, useAvailableTemplates } from './use-templates.ts';

/** Longest wait for the template in ms. Then the report opens empty, and the writer can still select a template. */
const patience = 1500;

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
 * Returns the text of the template that fits a study best, with filled merge fields. Undefined if no template fits or
 * the server does not answer in time. The facts of the study are fetched again at each opening, because the study may
 * have moved to another patient.
 */
export const useReadyTemplate = (studyId: string): { readyText: ReadyText | undefined; isPending: boolean } => {
  const fetched = useQuery({
    ...query(templateFacts.ofStudy, { params: { id: studyId } }),
    refetchOnMount: 'always',
  });
  const isFresh = fetched.isFetchedAfterMount && !fetched.isFetching;
  // Pending only at first: a later fetch must not close the editor.
  const facts = {
    data: isFresh ? fetched.data : undefined,
    error: fetched.error,
    isPending: !fetched.isFetchedAfterMount,
  };
  const { ranked, isPending, error } = useAvailableTemplates({}, facts.data?.exam);
  const best = facts.data && preferredTemplate(ranked, facts.data.chosenTemplateId);
  const isOwn = best !== undefined && !best.isGlobal;
  const own = useQuery({ ...query(templates.get, { params: { id: best?.template.id ?? '' } }), enabled: isOwn });
  const isLate = useIsLate();
  const template = isOwn ? own.data : best?.template;
  const isWaiting = isPending || facts.isPending || (isOwn && own.isPending);
  if (isWaiting && !error && !facts.error && !isLate) return { readyText: undefined, isPending: true };
  if (!template || !facts.data) return { readyText: undefined, isPending: false };
  const isNormal = readPreference('templates.normal', ['off', 'on']) === 'on';
  const { exam, values, patientRecordId } = facts.data;
  const html = laidOutHtml(template, { normal: isNormal, exam, values });
  return { readyText: { html, patientRecordId }, isPending: false };
};

const useIsLate = (): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
};
