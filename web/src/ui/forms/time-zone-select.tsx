import { t } from '@lingui/core/macro';
import { Select, type SelectProps } from '@mantine/core';

/** Time zones of this browser, and UTC, which some browsers omit. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Input to select an IANA time zone by a part of its name. */
export function TimeZoneSelect(props: Omit<SelectProps, 'data'>) {
  const { value } = props;
  const known = value && !zones.includes(value) ? [value, ...zones] : zones;
  return <Select label={t`Time zone`} searchable allowDeselect={false} limit={200} data={known} {...props} />;
}
