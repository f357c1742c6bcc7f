import type { AuthType, RemoteProtocol } from '@radwork/contract/remote-configurations';

/** What the protocols of other archives are called where people read them. */
export const protocolLabels: Record<RemoteProtocol, string> = { DICOMWEB: 'DICOMweb', FHIR: 'FHIR', DIMSE: 'DIMSE' };

export const authLabels: Record<AuthType, string> = {
  NONE: 'None',
  BASIC: 'Username and password',
  BEARER: 'Bearer token',
  API: 'API key',
};
