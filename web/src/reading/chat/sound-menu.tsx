import { t } from '@lingui/core/macro';
import { ActionIcon, Popover, Slider, Switch, Tooltip } from '@mantine/core';
import { IconVolume, IconVolumeOff } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { saveChatSound, useChatSound } from '#core/state/chat-sound.ts';
import styles from './sound-menu.module.css';
import { playTone } from './message-tone.ts';

const percent = (volume: number) => `${Math.round(volume * 100)} %`;

/** Switches the sound for new messages and sets its volume. A changed volume plays a sample. */
export function SoundMenu() {
  const sound = useChatSound();
  const [isOpen, setOpen] = useState(false);
  const Icon = sound.enabled ? IconVolume : IconVolumeOff;
  const label = sound.enabled ? t`Sound on` : t`Sound off`;
  // Handles Escape here and marks the key as handled. If Mantine closed the menu, the chat panel would also react to
  // Escape.
  const closeFirst = (event: KeyboardEvent) => {
    if (!isOpen || event.key !== 'Escape') return;
    event.preventDefault();
    setOpen(false);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      closeOnEscape={false}
      position="bottom-end"
      width={220}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Tooltip label={label} disabled={isOpen}>
          <ActionIcon
            aria-label={sound.enabled ? t`Sound on, change` : t`Sound off, change`}
            onClick={() => setOpen(!isOpen)}
            onKeyDown={closeFirst}
          >
            <Icon size={16} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className={styles.menu} aria-label={t`Sound for new messages`} onKeyDown={closeFirst}>
        <Switch
          size="xs"
          label={t`Sound for new messages`}
          checked={sound.enabled}
          onChange={(event) => saveChatSound({ ...sound, enabled: event.currentTarget.checked })}
        />
        <Slider
          aria-label={t`Volume`}
          thumbLabel={t`Volume`}
          size="sm"
          min={0}
          max={1}
          step={0.05}
          label={percent}
          disabled={!sound.enabled}
          value={sound.volume}
          onChange={(volume) => saveChatSound({ ...sound, volume })}
          onChangeEnd={playTone}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
