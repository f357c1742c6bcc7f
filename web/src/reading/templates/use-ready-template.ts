import { fillHtml } from '@radwork/contract/reading/merge-fields';
import { templateHtml } from '@radwork/contract/reading/template-text';
import { templates } from '@radwork/contract/reading/templates';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { query } from '#core/http/api.ts';
import { readPreference } from '#core/state/preferences.ts';
import { useAvailableTemplates, useStudyFacts } from './use-templates.ts';

/** Longest wait for the template in ms. Then the report opens empty, and the writer can still select a template. */
const patience = 1500;

/**
 * Returns the text of the template that fits a study best, with filled merge fields. Undefined if no template fits or
 * the server does not answer in time.
 */
export const useReadyTemplate = (studyId: string): { html: string | undefined; isPending: boolean } => {
  const facts = useStudyFacts(studyId);
  const { ranked, isPending, error } = useAvailableTemplates({}, facts.data?.exam);
  const best = facts.data && ranked.find(({ match, template }) => match && template.isActive);
  const isOwn = best !== undefined && !best.isGlobal;
  const own = useQuery({ ...query(templates.get, { params: { id: best?.template.id ?? '' } }), enabled: isOwn });
  const isLate = useIsLate();
  const template = isOwn ? own.data : best?.template;
  const isWaiting = isPending || facts.isPending || (isOwn && own.isPending);
  if (isWaiting && !error && !facts.error && !isLate) return { html: undefined, isPending: true };
  if (!template) return { html: undefined, isPending: false };
  const isNormal = readPreference('templates.normal', ['off', 'on']) === 'on';
  const html = templateHtml(template, { normal: isNormal, exam: facts.data?.exam });
  return { html: fillHtml(html, facts.data?.values ?? {}), isPending: false };
};

const useIsLate = (): boolean => {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), patience);
    return () => clearTimeout(timer);
  }, []);
  return isLate;
};
