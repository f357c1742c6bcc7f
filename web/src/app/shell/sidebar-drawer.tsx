import { SideDialog } from '#ui/dialogs/dialog.tsx';
import styles from './shell.module.css';
import { Sidebar } from './sidebar.tsx';

/** Sidebar of a phone. It closes after a choice. */
export function SidebarDrawer({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideDialog
      opened={opened}
      onClose={onClose}
      size={260}
      withCloseButton={false}
      padding={0}
      classNames={{ body: styles.drawer }}
    >
      <Sidebar onNavigate={onClose} />
    </SideDialog>
  );
}
