import { useNavigate } from '@tanstack/react-router';
import { useImagesWindow } from './use-images-window.ts';

type Props = { studyId: string; to?: '/viewer/{-$id}' | '/usviewer/{-$id}'; onOpen?: (studyId: string) => void };

/** Keeps the second window for images at the study whose report is open here. */
export function LeadImagesWindow({ studyId, to = '/viewer/{-$id}', onOpen }: Props) {
  const navigate = useNavigate();
  const openPage = (id: string) => void navigate({ to: '/studies/$id', params: { id }, ignoreBlocker: true });
  useImagesWindow({ to, id: studyId, onOpen: onOpen ?? openPage });
  return null;
}
