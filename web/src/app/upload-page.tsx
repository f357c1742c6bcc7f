import { DicomwebTab } from '#features/remote-archives/dicomweb-tab.tsx';
import { UploadScreen } from '#features/upload/upload-screen.tsx';

/** /studies/create: images into the archive, from this computer or from an archive elsewhere. */
export function UploadPage() {
  return <UploadScreen dicomwebTab={<DicomwebTab />} />;
}
