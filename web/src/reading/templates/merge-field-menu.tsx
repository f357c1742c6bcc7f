import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { mergeFields, mergeFieldValues } from '@radwork/contract/reading/merge-fields';
import { IconBraces } from '@tabler/icons-react';
import styles from './macros/macros-panel.module.css';

/** Menu of all merge fields with their meaning. Inserts the chosen field. */
export function MergeFieldMenu({ onChoose }: { onChoose: (field: string) => void }) {
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBraces size={16} aria-hidden />}>
          {t`Insert merge field`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.fields ?? ''}>
        {mergeFields.map(({ name }) => (
          <Menu.Item key={name} onClick={() => onChoose(`{{${name}}}`)}>
            <span className="mono">{name}</span>
            <span className={styles.gives}>{mergeFieldValues[name]}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
