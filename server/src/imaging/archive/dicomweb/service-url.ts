import type { FastifyRequest } from 'fastify';
import type { Config } from '#core/config/config.ts';

/** Returns the URL of the DICOMweb services for other software. */
export const serviceAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  `${publicUrl ?? `${request.protocol}://${request.host}`}/dicom-web`;
