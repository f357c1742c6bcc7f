import { Button, Checkbox, Modal, TextInput } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import {
  applicationEntities,
  type ApplicationEntity,
  applicationEntityInput,
} from '@radwork/contract/application-entities';
import { ApiError, useAction, wordsFor } from '#core/api.ts';
import { Notice } from '#ui/notice.tsx';
import styles from './remote-archives.module.css';

type Props = { opened: boolean; device: ApplicationEntity | undefined; onClose: () => void };

/** The form of a device that may speak DICOM with this archive. */
export function DeviceDialog({ opened, device, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={device ? 'Edit device' : 'Add device'} size={560}>
      <DeviceForm device={device} onClose={onClose} />
    </Modal>
  );
}

const empty = {
  calledAeTitle: '',
  callingAeTitle: '',
  host: '',
  description: '',
  mayStore: true,
  mayReadWorklist: false,
  mayQuery: false,
  isActive: true,
};

const given = ({ id: _id, revision: _revision, lastSeenDate: _seen, ...fields }: ApplicationEntity) => fields;

function DeviceForm({ device, onClose }: Omit<Props, 'opened'>) {
  const form = useForm({
    initialValues: device ? given(device) : empty,
    validate: schemaResolver(applicationEntityInput, { sync: true }),
  });
  const says = { done: 'Device saved', failed: 'Failed to save the device' };
  const create = useAction(applicationEntities.create, says);
  const update = useAction(applicationEntities.update, says);
  const error = create.error ?? update.error;
  const after = {
    onSuccess: onClose,
    onError: (failure: Error) => failure instanceof ApiError && form.setErrors(failure.fields),
  };
  const save = form.onSubmit((body) =>
    device
      ? update.mutate({ params: { id: device.id }, body: { ...body, revision: device.revision } }, after)
      : create.mutate({ body }, after),
  );
  const right = (name: 'mayStore' | 'mayReadWorklist' | 'mayQuery' | 'isActive', label: string) => (
    <Checkbox label={label} {...form.getInputProps(name, { type: 'checkbox' })} />
  );

  return (
    <form className={styles.form} noValidate onSubmit={save}>
      <TextInput label="Its AE title" withAsterisk data-autofocus {...form.getInputProps('callingAeTitle')} />
      <TextInput label="AE title that it calls" withAsterisk {...form.getInputProps('calledAeTitle')} />
      <TextInput label="IP address" placeholder="Any" {...form.getInputProps('host')} />
      <TextInput label="Description" placeholder="CT room 2" {...form.getInputProps('description')} />
      <fieldset className={styles.rights}>
        <legend>What it may do</legend>
        {right('mayStore', 'Send images')}
        {right('mayReadWorklist', 'Read the worklist')}
        {right('mayQuery', 'Search and retrieve studies')}
        {right('isActive', 'Active')}
      </fieldset>
      {error && (
        <div className={styles.wide}>
          <Notice tone="danger">{wordsFor(error, 'Failed to save the device')}</Notice>
        </div>
      )}
      <div className={styles.buttons}>
        <span />
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={create.isPending || update.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
