import { t } from '@lingui/core/macro';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { usePreference } from '#core/state/preferences.ts';
import styles from './report-pane.module.css';

/** Widths of the report in percent. The first width is the default. */
const widths: readonly [string, ...string[]] = [
  '40',
  ...Array.from({ length: 23 }, (_, step) => String(20 + 2 * step)),
];

const [narrowest, widest] = [20, 64];

const allowed = (percent: number): string => {
  const even = 2 * Math.round(percent / 2);
  return String(Math.min(widest, Math.max(narrowest, even)));
};

const steps: Record<string, number> = { ArrowLeft: 2, ArrowRight: -2 };

/**
 * Report next to the images, with the width that the user chose. It stays mounted while hidden, because it may contain
 * unsaved text.
 */
export function ReportPane({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const [width, setWidth] = usePreference('viewer-report-width', widths);
  const pane = useRef<HTMLElement>(null);
  const pull = (event: PointerEvent<HTMLElement>) => {
    const handle = event.currentTarget;
    const room = pane.current?.parentElement?.getBoundingClientRect();
    if (!room) return;
    const stop = new AbortController();
    const { signal } = stop;
    const follow = ({ clientX }: { clientX: number }) => setWidth(allowed(((room.right - clientX) / room.width) * 100));
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', follow, { signal });
    handle.addEventListener('pointerup', () => stop.abort(), { signal });
    handle.addEventListener('pointercancel', () => stop.abort(), { signal });
  };
  const step = (event: KeyboardEvent) => {
    const change = steps[event.key];
    if (change === undefined) return;
    event.preventDefault();
    // Stops the event here, because arrow keys otherwise act on the images.
    event.stopPropagation();
    setWidth(allowed(Number(width) + change));
  };
  return (
    <aside
      ref={pane}
      className={styles.pane}
      aria-label={t`Report`}
      hidden={!isOpen}
      style={{ flexBasis: `${width}%` }}
    >
      <div
        className={styles.edge}
        role="separator"
        tabIndex={0}
        aria-label={t`Report width`}
        aria-orientation="vertical"
        aria-valuemin={narrowest}
        aria-valuemax={widest}
        aria-valuenow={Number(width)}
        onPointerDown={pull}
        onKeyDown={step}
      />
      {children}
    </aside>
  );
}
