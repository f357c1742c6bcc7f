import { IconBuildingHospital, IconSelector } from '@tabler/icons-react';
import styles from './tenant-switch.module.css';

/** Returns the properties of the field that shows the current organization. */
export const tenantField = () => ({
  className: styles.field ?? '',
  leftSection: <IconBuildingHospital size={15} stroke={1.6} aria-hidden />,
  rightSection: <IconSelector size={15} stroke={1.6} aria-hidden />,
  rightSectionPointerEvents: 'none' as const,
});
