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

const given = (stored: RemoteConfiguration): RemoteSettings => ({
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

/** Placeholders for stored secrets, which may stay empty. The server rejects them when it cannot keep them. */
const storedSecretPlaceholders = (stored: RemoteConfiguration | undefined, { authType }: RemoteSettings) =>
  stored?.authType === authType
    ? {
        ...(stored.hasPassword && { password: 'kept' }),
        ...(stored.hasToken && { token: 'kept' }),
        ...(stored.hasApiKey && { apiKey: 'kept' }),
      }
    : {};

/** DIMSE has no endpoints and no sign-in; values typed before choosing it are dropped. */
const usedValues = (values: RemoteSettings): RemoteSettings => {
  const { aeTitle, protocol, baseUrl, issuer } = values;
  return protocol === 'DIMSE' ? { ...empty, aeTitle, protocol, baseUrl, issuer } : values;
};

const checkFields = schemaResolver(remoteConfigurationInput, { sync: true });

export type ConfigurationForm = ReturnType<typeof useConfigurationForm>;

/** Form of a configuration. All faults appear at once, at their fields. */
export const useConfigurationForm = (stored: RemoteConfiguration | undefined) => {
  const form = useForm<RemoteSettings>({
    initialValues: stored ? given(stored) : empty,
    transformValues: usedValues,
    validate: (typed) => {
      const values = usedValues(typed);
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
    /** Runs the action with valid values; otherwise shows the faults. */
    onChecked: (run: (values: RemoteSettings) => void) => () => {
      const { hasErrors, errors } = form.validate();
      if (hasErrors) toFirstFault(errors);
      else run(form.getTransformedValues());
    },
  };
};
