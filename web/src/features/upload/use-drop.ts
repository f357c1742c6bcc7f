import { type DragEvent, useState } from 'react';
import { type Chosen, filesOfDrop } from './chosen-files.ts';

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * Makes an element take dropped files and folders. `isOver` while files are held above it; `foundSoFar` counts while
 * folders are being read.
 */
export const useDrop = (onChosen: (chosen: Chosen) => void) => {
  const [isOver, setIsOver] = useState(false);
  const [foundSoFar, setFoundSoFar] = useState<number>();

  const onDragOver = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
  };
  const onDrop = async (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    setFoundSoFar(0);
    try {
      onChosen(await filesOfDrop(event.dataTransfer.items, setFoundSoFar));
    } finally {
      setFoundSoFar(undefined);
    }
  };
  return {
    isOver,
    foundSoFar,
    handlers: { onDragOver, onDragLeave, onDrop: (event: DragEvent) => void onDrop(event) },
  };
};
