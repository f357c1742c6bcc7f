import { t } from '@lingui/core/macro';
import { Menu, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type ColorMap, colorMapNames, coloursLabels, gradientOf } from '#reading/viewer/fusion/pet/color-maps.ts';
import styles from './color-map-menu.module.css';

const Swatch = ({ colors }: { colors: ColorMap }) => (
  <span className={styles.swatch} style={{ background: gradientOf(colors) }} />
);

type Props = { colors: ColorMap; onColors: (colors: ColorMap) => void };

/** Menu of the color maps, each with its colors. */
export function ColorMapMenu({ colors, onColors }: Props) {
  const chosen = coloursLabels[colors];
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles.choice} aria-label={t`Color map: ${chosen}`}>
          <Swatch colors={colors} />
          <IconChevronDown size={14} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {colorMapNames.map((name) => (
          <Menu.Item key={name} leftSection={<Swatch colors={name} />} onClick={() => onColors(name)}>
            {coloursLabels[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
