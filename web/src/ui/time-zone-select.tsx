import { Select, type SelectProps } from '@mantine/core';

/** The zones that this browser knows, and UTC, which some leave out. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** One of the time zones of the IANA list, found by typing a part of its name. */
export function TimeZoneSelect(props: Omit<SelectProps, 'data'>) {
  const { value } = props;
  const known = value && !zones.includes(value) ? [value, ...zones] : zones;
  return <Select label="Time zone" searchable allowDeselect={false} limit={200} data={known} {...props} />;
}
