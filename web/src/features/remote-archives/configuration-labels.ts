import type { AuthType, RemoteProtocol } from '@radwork/contract/remote-configurations';

export const protocolLabels: Record<RemoteProtocol, string> = { DICOMWEB: 'DICOMweb', FHIR: 'FHIR', DIMSE: 'DIMSE' };

export const authLabels: Record<AuthType, string> = {
  NONE: 'None',
  BASIC: 'Username and password',
  BEARER: 'Bearer token',
  API: 'API key',
};
