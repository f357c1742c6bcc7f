import { t } from '@lingui/core/macro';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { DicomwebTab } from '#features/remote-archives/dicomweb-tab.tsx';
import { UploadScreen } from '#features/upload/upload-screen.tsx';
import { Skeleton } from '#ui/states.tsx';

const RegisterStudyScreen = lazy(async () => {
  const { RegisterStudyScreen: component } = await import('#features/studies/register-study-screen.tsx');
  return { default: component };
});

/** /studies/create: uploads images, imports them from a remote archive, or registers a study without images. */
export function UploadPage() {
  const { form, patientId } = useSearch({ from: '/signed-in/shell/studies/create' });
  if (form !== 'register') return <UploadScreen dicomwebTab={<DicomwebTab />} />;
  return (
    <Suspense fallback={<Skeleton lines={10} label={t`Loading`} />}>
      <RegisterStudyScreen key={patientId} patientId={patientId} />
    </Suspense>
  );
}
