import { isUid } from '@radwork/dicom/uid';
import type { FastifyRequest } from 'fastify';
import { notFound } from './problem.ts';

export const pathParameter = ({ params }: FastifyRequest, name: string): string => {
  const value: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, name) : undefined;
  return typeof value === 'string' ? value : '';
};

/** Returns a UID from the path. Throws 404 for an invalid UID, like for an unknown one. */
export const pathUid = (request: FastifyRequest, name: 'studyUid' | 'seriesUid' | 'instanceUid'): string => {
  const uid = pathParameter(request, name);
  if (!isUid(uid)) throw notFound('study');
  return uid;
};
