import { useCallback, useState } from 'react';

/** What a dialog is about: something new while `edited` is undefined. It stays about that while it fades away. */
export const useEdited = <Item>() => {
  const [edited, setEdited] = useState<Item>();
  const [opened, setOpened] = useState(false);
  const edit = useCallback((item: Item | undefined) => {
    setEdited(() => item);
    setOpened(true);
  }, []);
  return { edited, opened, edit, add: () => edit(undefined), close: () => setOpened(false) };
};
