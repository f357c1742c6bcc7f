import { schemaResolver, useForm } from '@mantine/form';
import {
  missingCredentials,
  type RemoteConfiguration,
  remoteConfigurationInput,
  type RemoteSettings,
} from '@radwork/contract/imaging/remote-archives';
import { focusFirstInvalid } from '#ui/forms/field-errors.ts';

const noSecrets = { password: '', token: '', apiKey: '', apiSecret: '' };

const empty: RemoteSettings = {
  aeTitle: '',
  protocol: 'DICOMWEB',
  baseUrl: '',
  resourcesUri: '',
  qidoEndpoint: '',
  wadoEndpoint: '',
  issuer: '',
  authType: 'NONE',
  username: '',
  ...noSecrets,
};

const formOf = (stored: RemoteConfiguration): RemoteSettings => ({
  aeTitle: stored.aeTitle,
  protocol: stored.protocol,
  baseUrl: stored.baseUrl,
  resourcesUri: stored.resourcesUri,
  qidoEndpoint: stored.qidoEndpoint,
  wadoEndpoint: stored.wadoEndpoint,
  issuer: stored.issuer,
  authType: stored.authType,
  username: stored.username,
  ...noSecrets,
});

/**
 * Values that replace stored secrets during validation, because the user may leave these fields empty. If the server
 * cannot keep a secret, it refuses the save.
 */
const storedSecretPlaceholders = (stored: RemoteConfiguration | undefined, { authType }: RemoteSettings) =>
  stored?.authType === authType
    ? {
        ...(stored.hasPassword && { password: 'kept' }),
        ...(stored.hasToken && { token: 'kept' }),
        ...(stored.hasApiKey && { apiKey: 'kept' }),
      }
    : {};

/** Drops values that DIMSE does not use: endpoints and sign-in. */
const usedValues = (values: RemoteSettings): RemoteSettings => {
  const { aeTitle, protocol, baseUrl, issuer } = values;
  return protocol === 'DIMSE' ? { ...empty, aeTitle, protocol, baseUrl, issuer } : values;
};

const checkFields = schemaResolver(remoteConfigurationInput, { sync: true });

export type ConfigurationForm = ReturnType<typeof useConfigurationForm>;

/** Form of a configuration. All errors appear together, at their fields. */
export const useConfigurationForm = (stored: RemoteConfiguration | undefined) => {
  const form = useForm<RemoteSettings>({
    initialValues: stored ? formOf(stored) : empty,
    transformValues: usedValues,
    validate: (fields) => {
      const values = usedValues(fields);
      return {
        ...missingCredentials({ ...values, ...storedSecretPlaceholders(stored, values) }),
        ...checkFields(values),
      };
    },
  });
  const toFirstFault = (faults: object) => focusFirstInvalid(form.getInputNode, faults);
  return {
    ...form,
    toFirstFault,
    /** Runs the action if the values are valid; otherwise shows the errors. */
    onChecked: (run: (values: RemoteSettings) => void) => () => {
      const { hasErrors, errors } = form.validate();
      if (hasErrors) toFirstFault(errors);
      else run(form.getTransformedValues());
    },
  };
};
