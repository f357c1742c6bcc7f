import { t } from '@lingui/core/macro';
import { lesions } from '@radwork/contract/reading/lesions';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';

/** Lesions of the patient of a study, for users who may see them. */
export const useLesions = (studyId: string) =>
  useQuery({ ...query(lesions.ofStudy, { params: { id: studyId } }), enabled: may(lesions.ofStudy) });

/** Links a measurement. The caller shows that it is done, with an undo. */
export const useLinkLesion = () => useAction(lesions.link, { failed: t`Could not link the measurement` });

export const useUnlinkLesion = () =>
  useAction(lesions.unlink, { done: t`Measurement separated`, failed: t`Could not separate the measurement` });

export const useAddLesion = () =>
  useAction(lesions.add, { done: t`Lesion added`, failed: t`Could not add the lesion` });

export const useSaveLesion = () =>
  useAction(lesions.save, { done: t`Lesion saved`, failed: t`Could not save the lesion` });

export const useAssessLesion = () => useAction(lesions.assess, { failed: t`Could not save the state` });
