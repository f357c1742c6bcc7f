import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { studies } from '@radwork/contract/imaging/studies';
import { displayName } from '@radwork/dicom/person-name';
import type { Updateable } from 'kysely';
import { localTime } from '#core/values/local-time.ts';
import { Problem } from '#core/http/problem.ts';
import type { Studies } from '#core/database/schema.ts';
import type { StoredStudy } from './study-rows.ts';

type Form = Omit<Body<typeof studies.update>, 'revision'>;

/** Editable columns. */
const fields = [
  { field: 'description', column: 'description' },
  { field: 'priority', column: 'priority' },
  { field: 'accessionNumber', column: 'accession_number' },
  { field: 'referringPhysicianName', column: 'referring_physician_name' },
  { field: 'referringPhysicianPhone', column: 'referring_physician_phone' },
  { field: 'clinicalHistory', column: 'clinical_history' },
  { field: 'orderNumber', column: 'order_number' },
  { field: 'orderingPhysicianName', column: 'ordering_physician_name' },
  { field: 'procedureCode', column: 'procedure_code' },
  { field: 'procedureDescription', column: 'procedure_description' },
  { field: 'scheduledDateTime', column: 'scheduled_at' },
] as const;

type Field = (typeof fields)[number];

/** Returns the value of a column as it is displayed, and as a form sends it back. */
const displayValue = (study: StoredStudy, { column }: Field): string => {
  switch (column) {
    case 'referring_physician_name':
    case 'ordering_physician_name':
      return displayName(study[column]);
    case 'scheduled_at':
      return localTime(study.scheduled_at) ?? '';
    default:
      return study[column];
  }
};

/** Returns the columns of a form. An empty time becomes null. */
export const columnsOf = (form: Form): Updateable<Studies> =>
  Object.fromEntries(
    fields.flatMap(({ field, column }) => {
      const value = form[field];
      if (value === undefined) return [];
      return [[column, column === 'scheduled_at' && value === '' ? null : value]];
    }),
  );

const changedFields = (study: StoredStudy, form: Form) =>
  fields.filter((field) => form[field.field] !== undefined && form[field.field] !== displayValue(study, field));

/** Returns the columns that a form changes. A name that was not edited keeps its form from the files. */
export const changesOf = (study: StoredStudy, form: Form): Updateable<Studies> =>
  columnsOf(Object.fromEntries(changedFields(study, form).map(({ field }) => [field, form[field]])));

/** Returns the conflict for a study that changed since the caller saw it. `nowIs` is its current state. */
export const studyChanged = (nowIs: string, more: { fields?: Record<string, string> } = {}): Problem =>
  new Problem(409, 'study.changed', t`Another user changed the study. It is now ${nowIs}.`, more);

/** Throws 409 for an outdated form, with the current values of its changed fields. */
export const refuseOutdated = (study: StoredStudy, revision: number, form: Form): void => {
  if (study.revision === revision) return;
  const differences = changedFields(study, form).map((changedField) => [
    changedField.field,
    `Now "${displayValue(study, changedField)}"`,
  ]);
  throw studyChanged(`at revision ${study.revision}`, { fields: Object.fromEntries(differences) });
};
