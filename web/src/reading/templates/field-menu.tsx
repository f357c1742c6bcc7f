import { t } from '@lingui/core/macro';
import { Button, Menu } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import styles from './macros/macros-panel.module.css';

/** Examples of typed fields and conditional parts, as authors write them (contract/src/reading/template-fields.ts). */
const examples = [
  { text: '[Side: laterality]', label: t`Left, right or bilateral` },
  { text: '[Margin: smooth|lobulated|spiculated]', label: t`One choice` },
  { text: '[Signs: any of edema|effusion]', label: t`One or more choices` },
  { text: '[Size: number mm 0-200]', label: t`Number with unit and range` },
  { text: '[Onset: date]', label: t`Day` },
  { text: '[Comment: text]', label: t`Text` },
  { text: '[if Size >= 6]…[end]', label: t`Part shown under a condition` },
];

/** Menu of field types. Inserts the chosen example. */
export function FieldMenu({ onChoose }: { onChoose: (field: string) => void }) {
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <Button variant="default" leftSection={<IconForms size={16} aria-hidden />}>
          {t`Insert field`}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.fields ?? ''}>
        {examples.map(({ text, label }) => (
          <Menu.Item key={text} onClick={() => onChoose(text)}>
            <span className="mono">{text}</span>
            <span className={styles.gives}>{label}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
