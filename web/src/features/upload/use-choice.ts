import { type ChangeEvent, type DragEvent, useState } from 'react';
import { type Chosen, filesOfDrop, filesOfInput } from './chosen-files.ts';

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * Lets people choose files and folders: `dropHandlers` belong to the element that takes a drop, `onInput` to file
 * inputs. `isOver` while files are held above the element; `foundSoFar` counts while many are being read.
 */
export const useChoice = (onChosen: (chosen: Chosen) => void) => {
  const [isOver, setIsOver] = useState(false);
  const [foundSoFar, setFoundSoFar] = useState<number>();

  const read = async (chosen: Promise<Chosen>) => {
    setFoundSoFar(0);
    try {
      onChosen(await chosen);
    } finally {
      setFoundSoFar(undefined);
    }
  };
  const onDragOver = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(true);
  };
  const onDragLeave = ({ currentTarget, relatedTarget }: DragEvent) => {
    if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setIsOver(false);
  };
  const onDrop = (event: DragEvent) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    setIsOver(false);
    void read(filesOfDrop(event.dataTransfer.items, setFoundSoFar));
  };
  const onInput = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void read(filesOfInput(currentTarget.files ?? [], setFoundSoFar));
    // Choosing the same files again has to be noticed.
    currentTarget.value = '';
  };
  return { isOver, foundSoFar, onInput, dropHandlers: { onDragOver, onDragLeave, onDrop } };
};

export type Choice = ReturnType<typeof useChoice>;
