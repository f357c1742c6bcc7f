import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type PointerEvent, useEffect, useRef } from 'react';
import styles from './signing-means.module.css';

type Props = { onChange: (picture: string | undefined) => void };

/**
 * White area on which the user signs with mouse, pen or finger. `onChange` receives a PNG data URL after each stroke.
 */
export function SignaturePad({ onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDrawing = useRef(false);

  useEffect(() => clear(canvas.current), []);

  const draw = (event: PointerEvent<HTMLCanvasElement>, step: 'moveTo' | 'lineTo') => {
    const paper = event.currentTarget;
    const pen = paper.getContext('2d');
    if (!pen) return;
    const { left, top, width, height } = paper.getBoundingClientRect();
    if (step === 'moveTo') pen.beginPath();
    pen[step](((event.clientX - left) / width) * paper.width, ((event.clientY - top) / height) * paper.height);
    pen.stroke();
  };

  return (
    <div>
      <canvas
        ref={canvas}
        className={styles.pad}
        width={480}
        height={120}
        role="img"
        aria-label={t`Signature`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          isDrawing.current = true;
          draw(event, 'moveTo');
        }}
        onPointerMove={(event) => {
          if (isDrawing.current) draw(event, 'lineTo');
        }}
        onPointerUp={(event) => {
          isDrawing.current = false;
          onChange(event.currentTarget.toDataURL('image/png'));
        }}
      />
      <div className={styles.padRow}>
        <span className="muted">{t`Sign with a mouse, pen or finger`}</span>
        <Button
          variant="subtle"
          size="compact-xs"
          onClick={() => {
            clear(canvas.current);
            onChange(undefined);
          }}
        >
          {t`Clear`}
        </Button>
      </div>
    </div>
  );
}

const clear = (canvas: HTMLCanvasElement | null) => {
  const pen = canvas?.getContext('2d');
  if (!canvas || !pen) return;
  pen.fillStyle = '#fff';
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.strokeStyle = '#10131a';
  pen.lineWidth = 2.2;
  pen.lineCap = 'round';
  pen.lineJoin = 'round';
};
