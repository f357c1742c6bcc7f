import type { ComponentProps } from 'react';
import { PatientPicker } from '#imaging/patients/identity/patient-picker.tsx';
import { SeriesMenu } from '#imaging/rejections/series-menu.tsx';

/** Menu of a series, with the search for another patient. */
export const SeriesMenuWithPatients = (props: Omit<ComponentProps<typeof SeriesMenu>, 'PatientPicker'>) => (
  <SeriesMenu {...props} PatientPicker={PatientPicker} />
);
