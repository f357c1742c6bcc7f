import { t } from '@lingui/core/macro';
import { TextInput, type TextInputProps } from '@mantine/core';

/** Field for the issuer, which tells Patient IDs of different sources apart. */
export function IssuerInput(props: TextInputProps) {
  return (
    <TextInput
      label={t`Issuer of patient IDs`}
      description={t`Used for files without an issuer. A change does not affect stored studies: their patients stay separate records.`}
      {...props}
    />
  );
}
