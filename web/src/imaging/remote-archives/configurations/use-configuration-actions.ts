import { t } from '@lingui/core/macro';
import {
  type RemoteConfiguration,
  remoteConfigurations,
  type RemoteSettings,
} from '@radwork/contract/imaging/remote-archives';
import { useMutation } from '@tanstack/react-query';
import { call, useAction } from '#core/http/api.ts';
import { fieldErrorsOf } from '#ui/forms/field-errors.ts';
import { testPatience } from './connection-test.tsx';

type OnFaults = (fields: Record<string, string>) => void;

/** Tests the connection of an unsaved form. */
export const useTestForm = (id: string | undefined, onFaults: OnFaults) =>
  useMutation({
    mutationFn: (values: RemoteSettings) =>
      call(remoteConfigurations.testUnsaved, { body: { ...values, ...(id && { id }) } }, { timeout: testPatience }),
    onError: (error) => onFaults(fieldErrorsOf(error)),
  });

export const useSaveConfiguration = (
  stored: RemoteConfiguration | undefined,
  onFaults: OnFaults,
  onDone: () => void,
) => {
  const says = { done: t`Configuration saved`, failed: t`Failed to save configuration` };
  const create = useAction(remoteConfigurations.create, says);
  const replace = useAction(remoteConfigurations.replace, says);
  const after = { onSuccess: onDone, onError: (error: Error) => onFaults(fieldErrorsOf(error)) };
  return {
    error: create.error ?? replace.error,
    isPending: create.isPending || replace.isPending,
    mutate: (body: RemoteSettings) =>
      stored
        ? replace.mutate({ params: { id: stored.id }, body: { ...body, revision: stored.revision } }, after)
        : create.mutate({ body }, after),
  };
};
