import { t } from '@lingui/core/macro';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { DicomwebTab } from '#imaging/remote-archives/search/dicomweb-tab.tsx';
import { UploadScreen } from '#imaging/upload/upload-screen.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';

const RegisterStudyScreen = lazy(async () => {
  const { RegisterStudyScreen: component } = await import('#imaging/studies/editing/register-study-screen.tsx');
  return { default: component };
});

/** Screen /studies/create: uploads images, imports them from a remote archive, or registers a study without images. */
export function UploadPage() {
  const { form, patientId } = useSearch({ from: '/signed-in/shell/studies/create' });
  if (form !== 'register') return <UploadScreen dicomwebTab={<DicomwebTab />} />;
  return (
    <Suspense fallback={<Skeleton lines={10} label={t`Loading`} />}>
      <RegisterStudyScreen key={patientId} patientId={patientId} />
    </Suspense>
  );
}
