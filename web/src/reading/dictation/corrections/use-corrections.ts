import { t } from '@lingui/core/macro';
import { type Correction, dictation } from '@radwork/contract/reading/dictation';
import { useQuery } from '@tanstack/react-query';
import { query, useAction } from '#core/http/api.ts';
import { may } from '#core/state/session.ts';

export const correctionsQuery = () => query(dictation.corrections, {});

const none: readonly Correction[] = [];

/** The corrections of the user. Empty while they load, and for a user who may not dictate. */
export const useCorrections = (): readonly Correction[] => {
  const { data } = useQuery({ ...correctionsQuery(), enabled: may(dictation.corrections) });
  return data ?? none;
};

const refreshes = ['dictation'];

export const useAddCorrection = () =>
  useAction(dictation.addCorrection, { done: t`Correction created`, failed: t`Error creating correction`, refreshes });

export const useChangeCorrection = () =>
  useAction(dictation.changeCorrection, { done: t`Correction saved`, failed: t`Error saving correction`, refreshes });

export const useRemoveCorrection = () =>
  useAction(dictation.removeCorrection, {
    done: t`Correction deleted`,
    failed: t`Error deleting correction`,
    refreshes,
  });
