import { sql } from 'kysely';

/**
 * SQL: whether images of the study with this id were rejected. A study with such images is no longer an order. Hidden
 * copies of a failed, canceled or undone move do not count, unless a move into the order is running.
 */
export const hasRejectedImages = (studyId: string) => sql<boolean>`exists (
  select from rejections r left join series_moves m on m.id = r.move_id
  where r.study_id = ${sql.ref(studyId)}
    and (not r.is_copy or m.state = 'COPYING'))`;
