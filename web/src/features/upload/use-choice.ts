import { type ChangeEvent, type DragEvent, useState } from 'react';
import { type Found, filesOfDrop, filesOfInput } from './chosen-files.ts';
import type { DicomReader } from './dicom-reader.ts';
import { type Chosen, recognise } from './recognise.ts';

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/**
 * Lets people choose files and folders: `dropHandlers` belong to the element that takes a drop, `onInput` to file
 * inputs. `isOver` while files are held above the element; `foundSoFar` counts while many are being read.
 */
export const useChoice = (reader: () => DicomReader, onChosen: (chosen: Chosen) => void) => {
  const [isOver, setIsOver] = useState(false);
  const [foundSoFar, setFoundSoFar] = useState<number>();

  const read = async (found: AsyncIterable<Found> | Iterable<Found>) => {
    setFoundSoFar(0);
    try {
      onChosen(await recognise(found, reader(), setFoundSoFar));
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
    void read(filesOfDrop(event.dataTransfer.items));
  };
  const onInput = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    void read(filesOfInput(currentTarget.files ?? []));
    // Choosing the same files again has to be noticed.
    currentTarget.value = '';
  };
  return { isOver, foundSoFar, onInput, dropHandlers: { onDragOver, onDragLeave, onDrop } };
};

export type Choice = ReturnType<typeof useChoice>;
