import { isDeepStrictEqual } from 'node:util';
import type { Measurement, MeasurementForm } from '@radwork/contract/reading/measurements';
import { type Selectable, sql } from 'kysely';
import type { Measurements } from '#core/database/schema.ts';
import type { Scope } from '#core/access/scope.ts';

export type StoredMeasurement = Selectable<Measurements>;

/** Leaves out measurements of rejected images and series, which queries do not find. */
export const isOfShownImage = sql<boolean>`case
  when measurements.sop_instance_uid is null then exists (
    select from series s
    where s.series_instance_uid = measurements.series_instance_uid and s.study_id = measurements.study_id)
  else exists (
    select from instances i
    where i.sop_instance_uid = measurements.sop_instance_uid and i.study_id = measurements.study_id) end`;

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
