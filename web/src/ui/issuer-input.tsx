import { t } from '@lingui/core/macro';
import { TextInput, type TextInputProps } from '@mantine/core';

/** Field for the issuer of patient IDs from one source. */
export function IssuerInput(props: TextInputProps) {
  return (
    <TextInput
      label={t`Issuer of patient IDs`}
      description={t`Used for files that name no issuer. A change does not move stored studies: their patients stay separate records.`}
      {...props}
    />
  );
}
