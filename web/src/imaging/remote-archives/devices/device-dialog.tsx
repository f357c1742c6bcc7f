import { t } from '@lingui/core/macro';
import { Button, Checkbox, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import {
  applicationEntities,
  type ApplicationEntity,
  applicationEntityInput,
  readsFromAnywhere,
} from '@radwork/contract/identity/application-entities';
import { groups } from '@radwork/contract/identity/groups';
import { useQuery } from '@tanstack/react-query';
import { query, useAction, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { IssuerInput } from '#ui/forms/issuer-input.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from '#imaging/remote-archives/forms.module.css';

type Props = { opened: boolean; device: ApplicationEntity | undefined; onClose: () => void };

/** Dialog for a device that may connect to this archive by DICOM. */
export function DeviceDialog({ opened, device, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={device ? t`Edit device` : t`Create device`} size={560}>
      <DeviceForm device={device} onClose={onClose} />
    </Dialog>
  );
}

function DeviceForm({ device, onClose }: Omit<Props, 'opened'>) {
  const form = useDeviceForm(device);
  const save = useSaveDevice(device, (faults) => form.setErrors(faults), onClose);
  const { error } = save;
  const offered = useQuery(query(groups.list, {})).data ?? [];
  const choice = (
    name: 'mayStore' | 'mayReadWorklist' | 'mayQuery' | 'mayAskFromAnywhere' | 'isActive',
    label: string,
  ) => <Checkbox label={label} {...form.getInputProps(name, { type: 'checkbox' })} />;

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={form.onSubmit(save.mutate, (faults) => focusFirstInvalid(form.getInputNode, faults))}
    >
      <TextInput
        label={t`AE title of the device`}
        withAsterisk
        data-autofocus
        {...form.getInputProps('callingAeTitle')}
      />
      <TextInput label={t`Called AE title`} withAsterisk {...form.getInputProps('calledAeTitle')} />
      <TextInput label={t`IP address`} placeholder={t`Any`} {...form.getInputProps('host')} />
      <NumberInput
        label={t`Port`}
        placeholder={t`Required to send to the device`}
        hideControls
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('port')}
      />
      <TextInput className={styles.wide} label={t`Description`} {...form.getInputProps('description')} />
      <IssuerInput className={styles.wide} {...form.getInputProps('issuer')} />
      {offered.length > 0 && (
        <NativeSelect
          className={styles.wide}
          label={t`Group`}
          description={t`Studies from the device get the group. The device finds only studies of the group.`}
          data={[
            { value: '', label: t`None: all studies` },
            ...offered.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          {...form.getInputProps('groupId')}
        />
      )}
      <fieldset className={styles.rights}>
        <legend>{t`Permissions`}</legend>
        {choice('mayStore', t`Send images`)}
        {choice('mayReadWorklist', t`Read the worklist`)}
        {choice('mayQuery', t`Search and retrieve studies`)}
        {readsFromAnywhere(form.values) && choice('mayAskFromAnywhere', t`Read from any address`)}
      </fieldset>
      {readsFromAnywhere(form.values) && form.values.mayAskFromAnywhere && (
        <div className={styles.wide}>
          <Notice tone="warning">{t`Any computer in the network that uses these AE titles can read patient names.`}</Notice>
        </div>
      )}
      <div className={styles.wide}>{choice('isActive', t`Active: the device may connect`)}</div>
      {error && !isShownAtFields(error) && (
        <div className={styles.wide}>
          <Notice tone="danger">{errorMessageOf(error, t`Failed to save the device`)}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <span />
        <CancelButton onCancel={onClose} />
        <Button type="submit" loading={save.isPending}>
          {t`Save`}
        </Button>
      </div>
    </form>
  );
}

const empty = {
  calledAeTitle: '',
  callingAeTitle: '',
  host: '',
  port: '' as number | '',
  description: '',
  issuer: '',
  mayStore: true,
  mayReadWorklist: false,
  mayQuery: false,
  mayAskFromAnywhere: false,
  groupId: '',
  isActive: true,
};
type DeviceFields = typeof empty;

const formOf = ({
  id: _id,
  revision: _revision,
  lastSeenDate: _seen,
  port,
  groupId,
  ...fields
}: ApplicationEntity): DeviceFields => ({
  ...fields,
  groupId: groupId ?? '',
  port: port ?? '',
});

/** Converts the form values. A number field without input contains an empty string, but a missing port must be null. */
const toInput = ({ port, groupId, ...fields }: DeviceFields) => ({
  ...fields,
  port: port === '' ? null : port,
  groupId: groupId || null,
});

const checkFields = schemaResolver(applicationEntityInput, { sync: true });

const useDeviceForm = (device: ApplicationEntity | undefined) =>
  useForm({
    initialValues: device ? formOf(device) : empty,
    transformValues: toInput,
    validate: (fields) => checkFields(toInput(fields)),
  });

const useSaveDevice = (
  device: ApplicationEntity | undefined,
  onFaults: (faults: Record<string, string>) => void,
  onDone: () => void,
) => {
  const says = { done: t`Device saved`, failed: t`Failed to save the device` };
  const create = useAction(applicationEntities.create, says);
  const update = useAction(applicationEntities.update, says);
  const after = { onSuccess: onDone, onError: (error: Error) => onFaults(fieldErrorsOf(error)) };
  return {
    error: create.error ?? update.error,
    isPending: create.isPending || update.isPending,
    mutate: (body: ReturnType<typeof toInput>) =>
      device
        ? update.mutate({ params: { id: device.id }, body: { ...body, revision: device.revision } }, after)
        : create.mutate({ body }, after),
  };
};
