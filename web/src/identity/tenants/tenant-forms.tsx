import { t } from '@lingui/core/macro';
import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { schemaResolver, useForm, type UseFormReturnType } from '@mantine/form';
import type { Reply } from '@radwork/contract/core/endpoint';
import { locales, type Tenant, tenants } from '@radwork/contract/identity/tenants';
import { ApiError, useAction, errorMessageOf } from '#core/http/api.ts';
import { CancelButton } from '#ui/dialogs/dialog-form.tsx';
import { fieldErrorsOf, focusFirstInvalid, isShownAtFields } from '#ui/forms/field-errors.ts';
import { localeNames } from '#ui/formats/locale-names.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { TimeZoneSelect } from '#ui/forms/time-zone-select.tsx';
import styles from './tenants.module.css';

const gibibyte = 2 ** 30;

type TenantFields = {
  name: string;
  subdomain: string;
  timeZone: string;
  locale: (typeof locales)[number];
  /** Storage limit in GiB as typed; empty for no limit. */
  storageQuotaBytes: number | '';
  administrator: { username: string; name: string; email: string };
};

const empty: TenantFields = {
  name: '',
  subdomain: '',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  locale: 'en-GB',
  storageQuotaBytes: '',
  administrator: { username: '', name: '', email: '' },
};

type Body = Omit<TenantFields, 'storageQuotaBytes'> & { storageQuotaBytes: number | null };

const toBody = (values: TenantFields): Body => ({
  ...values,
  storageQuotaBytes: values.storageQuotaBytes === '' ? null : Math.round(values.storageQuotaBytes * gibibyte),
});

type TenantForm = UseFormReturnType<TenantFields, Body>;

/** Fields that both forms share, shown first. */
function Fields({ form, isUsed = false }: { form: TenantForm; isUsed?: boolean }) {
  return (
    <>
      <TextInput label={t`Name`} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t`Subdomain`}
        withAsterisk
        autoCapitalize="none"
        spellCheck={false}
        disabled={isUsed}
        description={
          isUsed
            ? t`Users and devices already use the subdomain, so it cannot be changed.`
            : t`Users enter the subdomain to sign in. It cannot be changed after the first sign-in.`
        }
        {...form.getInputProps('subdomain')}
      />
      <TimeZoneSelect withAsterisk {...form.getInputProps('timeZone')} />
      <Select
        label={t`Language`}
        withAsterisk
        allowDeselect={false}
        data={locales.map((value) => ({ value, label: localeNames[value] }))}
        {...form.getInputProps('locale')}
      />
      <NumberInput
        label={t`Storage limit`}
        placeholder={t`No limit`}
        suffix=" GiB"
        min={0}
        decimalScale={2}
        allowNegative={false}
        {...form.getInputProps('storageQuotaBytes')}
      />
    </>
  );
}

type Saving = { error: Error | null; isPending: boolean };

function Foot({
  saving,
  verb,
  failed,
  onCancel,
}: {
  saving: Saving;
  verb: string;
  failed: string;
  onCancel: () => void;
}) {
  return (
    <>
      {saving.error && !isShownAtFields(saving.error) && (
        <Notice tone="danger">{errorMessageOf(saving.error, failed)}</Notice>
      )}
      <div className={styles.buttons}>
        <CancelButton onCancel={onCancel} />
        <Button type="submit" loading={saving.isPending}>
          {verb}
        </Button>
      </div>
    </>
  );
}

type NewProps = { onCreated: (created: Reply<typeof tenants.create>) => void; onCancel: () => void };

export function NewTenantForm({ onCreated, onCancel }: NewProps) {
  const failed = t`Failed to create the organization`;
  const create = useAction(tenants.create, { done: t`Organization created`, failed });
  const check = schemaResolver(bodyOf(tenants.create), { sync: true });
  const form: TenantForm = useForm<TenantFields, Body>({
    initialValues: empty,
    transformValues: toBody,
    validate: (values) => check(toBody(values)),
  });
  const submit = form.onSubmit(
    (body) =>
      create.mutate(
        { body },
        {
          onSuccess: onCreated,
          onError: (error) => {
            form.setErrors(fieldErrorsOf(error));
            focusFirstInvalid(form.getInputNode, fieldErrorsOf(error));
          },
        },
      ),
    (faults) => focusFirstInvalid(form.getInputNode, faults),
  );
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Fields form={form} />
      <fieldset className={styles.group}>
        <legend>{t`First administrator`}</legend>
        <TextInput
          label={t`Username`}
          withAsterisk
          autoCapitalize="none"
          autoComplete="off"
          {...form.getInputProps('administrator.username')}
        />
        <TextInput label={t`Full name`} withAsterisk autoComplete="off" {...form.getInputProps('administrator.name')} />
        <TextInput
          label={t`E-mail`}
          type="email"
          withAsterisk
          autoComplete="off"
          {...form.getInputProps('administrator.email')}
        />
      </fieldset>
      <Foot saving={create} verb={t`Create organization`} failed={failed} onCancel={onCancel} />
    </form>
  );
}

const bodyOf = <S,>({ body }: { body?: S }): S => {
  if (body === undefined) throw new Error('This call is sent nothing');
  return body;
};

export function EditTenantForm({ tenant, onClose }: { tenant: Tenant; onClose: () => void }) {
  const failed = t`Failed to save the organization`;
  const update = useAction(tenants.update, { done: t`Organization saved`, failed });
  const { name, subdomain, timeZone, locale, storageQuotaBytes, revision } = tenant;
  const check = schemaResolver(bodyOf(tenants.update), { sync: true });
  const form: TenantForm = useForm<TenantFields, Body>({
    initialValues: {
      ...empty,
      name,
      subdomain,
      timeZone,
      locale,
      storageQuotaBytes: storageQuotaBytes === null ? '' : storageQuotaBytes / gibibyte,
    },
    transformValues: toBody,
    validate: (values) => check({ ...toBody(values), revision }),
  });
  const submit = form.onSubmit(
    (values) =>
      update.mutate(
        { params: { id: tenant.id }, body: bodyOf(tenants.update).parse({ ...values, revision }) },
        {
          onSuccess: onClose,
          onError: (error) => {
            form.setErrors(fieldErrorsOf(error));
            focusFirstInvalid(form.getInputNode, fieldErrorsOf(error));
          },
        },
      ),
    (faults) => focusFirstInvalid(form.getInputNode, faults),
  );
  const isOutdated = update.error instanceof ApiError && update.error.status === 409;
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <Fields form={form} isUsed={tenant.isUsed} />
      {isOutdated && (
        <p className={styles.hint}>{t`Close this form and open the organization again to see the saved values.`}</p>
      )}
      <Foot saving={update} verb={t`Save`} failed={failed} onCancel={onClose} />
    </form>
  );
}
