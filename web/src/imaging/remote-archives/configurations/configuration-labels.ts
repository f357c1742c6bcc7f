import { t } from '@lingui/core/macro';
import type { AuthType, RemoteProtocol } from '@radwork/contract/imaging/remote-archives';

export const protocolLabels: Record<RemoteProtocol, string> = { DICOMWEB: 'DICOMweb', FHIR: 'FHIR', DIMSE: 'DIMSE' };

export const authLabels: Record<AuthType, string> = {
  NONE: t`None`,
  BASIC: t`Username and password`,
  BEARER: t`Bearer token`,
  API: t`API key`,
};
