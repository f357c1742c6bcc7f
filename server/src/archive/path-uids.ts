import { isUid } from '@radwork/dicom/uid';
import type { FastifyRequest } from 'fastify';
import { notFound } from '#core/problem.ts';

/** The part of a path after a resource's name. */
export const pathParameter = ({ params }: FastifyRequest, name: string): string => {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** A UID of the path. What is no UID is nobody's, and is not found like any other. */
export const pathUid = (request: FastifyRequest, name: 'studyUid' | 'seriesUid' | 'instanceUid'): string => {
  const uid = pathParameter(request, name);
  if (!isUid(uid)) throw notFound('study');
  return uid;
};
