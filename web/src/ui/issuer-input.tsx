import { TextInput, type TextInputProps } from '@mantine/core';

/** The issuer of the patient IDs that come by one way in. */
export function IssuerInput(props: TextInputProps) {
  return (
    <TextInput
      label="Issuer of patient IDs"
      description="Used for files that name no issuer. A change does not move stored studies: their patients stay separate records."
      {...props}
    />
  );
}
