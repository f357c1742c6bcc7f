import { isDeepStrictEqual } from 'node:util';
import type { Measurement, MeasurementForm } from '@radwork/contract/reading/measurements';
import type { Selectable } from 'kysely';
import type { Measurements } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';

export type StoredMeasurement = Selectable<Measurements>;

/** Converts a form to stored columns. */
export const columnsOf = (form: MeasurementForm) => ({
  tool: form.tool,
  series_instance_uid: form.seriesInstanceUID,
  sop_instance_uid: form.sopInstanceUID,
  frame: form.frame,
  frame_of_reference_uid: form.frameOfReferenceUID,
  points: JSON.stringify(form.points),
  plane: form.plane && JSON.stringify(form.plane),
  label: form.label,
  measured: JSON.stringify(form.values),
});

/** Converts stored columns to the fields of the form. The contract has validated them. */
const drawnIn = (row: StoredMeasurement): Omit<MeasurementForm, 'revision'> => ({
  tool: row.tool as MeasurementForm['tool'],
  seriesInstanceUID: row.series_instance_uid,
  sopInstanceUID: row.sop_instance_uid,
  frame: row.frame,
  frameOfReferenceUID: row.frame_of_reference_uid,
  points: row.points as MeasurementForm['points'],
  plane: row.plane as MeasurementForm['plane'],
  label: row.label,
  values: row.measured as MeasurementForm['values'],
});

export const toMeasurement = ({ session }: Pick<Scope, 'session'>, row: StoredMeasurement): Measurement => ({
  id: row.id,
  ...drawnIn(row),
  revision: row.revision,
  author: { username: row.author_username, name: row.author_name },
  createdDate: row.created_at,
  updatedDate: row.updated_at,
  isMine: row.author_id === session.userId,
});

/** Whether a stored measurement equals the form. */
export const hasSameContent = (row: StoredMeasurement, form: MeasurementForm): boolean =>
  isDeepStrictEqual({ ...drawnIn(row), revision: form.revision }, form);
