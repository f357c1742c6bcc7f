import type { FastifyRequest } from 'fastify';
import type { Config } from '#core/config.ts';

/** The address under which other software reaches the DICOMweb services, as an answer names it. */
export const serviceAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): string =>
  `${publicUrl ?? `${request.protocol}://${request.host}`}/dicom-web`;
