import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import { slideOf } from './read-slide.ts';

/*
 * Reads the headers of a slide for load-slide.ts. A sparse slide of 50,000 tiles has headers of 20 MB, which would block
 * the page for a second.
 */

self.onmessage = ({ data }: MessageEvent<ArrayBuffer>) => {
  try {
    const headers: DicomJson[] = JSON.parse(new TextDecoder().decode(data));
    self.postMessage({ slide: slideOf(headers) });
  } catch {
    self.postMessage({ failed: true });
  }
};
