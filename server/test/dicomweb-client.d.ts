/** Types for the parts of dicomweb-client that the tests use. Its own types omit most promises. */
declare module 'dicomweb-client' {
  import type { DicomJson } from '@radwork/dicom/dataset';

  type Study = { studyInstanceUID: string };
  type Series = Study & { seriesInstanceUID: string };
  type Instance = Series & { sopInstanceUID: string };
  type MediaType = { mediaType: string; transferSyntaxUID?: string };
  type Query = { queryParams?: Record<string, string> };

  class DICOMwebClient {
    constructor(options: { url: string; headers?: Record<string, string>; verbose?: boolean });
    storeInstances(options: { datasets: ArrayBuffer[]; studyInstanceUID?: string }): Promise<string>;
    searchForStudies(options?: Query): Promise<DicomJson[]>;
    searchForSeries(options: Study & Query): Promise<DicomJson[]>;
    searchForInstances(options: Study & Partial<Series> & Query): Promise<DicomJson[]>;
    retrieveStudyMetadata(options: Study): Promise<DicomJson[]>;
    retrieveStudy(options: Study): Promise<ArrayBuffer[]>;
    retrieveSeries(options: Series): Promise<ArrayBuffer[]>;
    retrieveInstance(options: Instance & { mediaTypes?: MediaType[] }): Promise<ArrayBuffer>;
    retrieveInstanceFrames(
      options: Instance & { frameNumbers: string; mediaTypes?: MediaType[] },
    ): Promise<ArrayBuffer[]>;
    retrieveInstanceRendered(
      options: Instance & Query & { mediaTypes?: MediaType[] },
    ): Promise<ArrayBuffer | ArrayBuffer[]>;
  }
  export const api: { DICOMwebClient: typeof DICOMwebClient };
}

/** The browser's XMLHttpRequest for Node. */
declare module 'xhr2' {
  const XMLHttpRequest: new () => object;
  export default XMLHttpRequest;
}
