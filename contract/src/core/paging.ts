import { t } from './translate.ts';
import { z } from 'zod';

export const pageSizes = [10, 25, 50, 100] as const;

/**
 * Page and size of a list. Pages count from 0. A size above 200 becomes 200. A page after the last one is empty, not an
 * error.
 */
export const pageQuery = {
  page: z.coerce.number().int().min(0).default(0),
  size: z.coerce
    .number()
    .int()
    .min(1)
    .default(10)
    .transform((size) => Math.min(size, 200)),
};

const directions = ['asc', 'desc'] as const;

/** Sort parameter as in the specification: "studyDate,desc". Accepts only the given fields. */
export const sortQuery = <const F extends string>(fields: readonly [F, ...F[]], fallback: `${F},${'asc' | 'desc'}`) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const [name, order = 'asc'] = text.split(',');
      const field = fields.find((candidate) => candidate === name);
      const direction = directions.find((candidate) => candidate === order);
      if (field && direction) return { field, direction };
      context.addIssue({ code: 'custom', message: t`Sort by one of ${fields.join(', ')}, then asc or desc` });
      return z.NEVER;
    });

export const page = <T extends z.ZodType>(item: T) =>
  z.object({
    content: z.array(item),
    totalElements: z.number(),
    totalPages: z.number(),
    number: z.number(),
    size: z.number(),
    sort: z.string().optional(),
  });

export type Page<T> = {
  content: T[];
  totalElements: number;
  totalPages: number;
  number: number;
  size: number;
  sort?: string | undefined;
};

export const pageOf = <T>(content: T[], totalElements: number, paging: { page: number; size: number }): Page<T> => ({
  content,
  totalElements,
  totalPages: Math.ceil(totalElements / paging.size),
  number: paging.page,
  size: paging.size,
});
