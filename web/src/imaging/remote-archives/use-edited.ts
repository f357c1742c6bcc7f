import { useCallback, useState } from 'react';

/** State of an edit dialog. `edited` is undefined for a new item. It keeps its value while the dialog fades out. */
export const useEdited = <Item>() => {
  const [edited, setEdited] = useState<Item>();
  const [opened, setOpened] = useState(false);
  const edit = useCallback((item: Item | undefined) => {
    setEdited(() => item);
    setOpened(true);
  }, []);
  return { edited, opened, edit, add: () => edit(undefined), close: () => setOpened(false) };
};
