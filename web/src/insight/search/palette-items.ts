/** An item of the command palette: a place to open or an action to run. */
export type PaletteItem = {
  id: string;
  label: string;
  detail?: string | undefined;
  /** Words by which the item is found but that are not shown. */
  keywords?: string;
  /** Keys of the command, shown beside it. */
  keys?: string;
} & ({ href: string } | { run: () => void });

export type PaletteGroup = { name: string; items: PaletteItem[] };

export const searchTermsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** Returns the items that contain every typed word, in their order. */
export const matching = (items: readonly PaletteItem[], text: string): PaletteItem[] => {
  const words = searchTermsOf(text);
  return items.filter(({ label, detail = '', keywords = '' }) => {
    const searched = `${label} ${detail} ${keywords}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
};

/** Splits a text into pieces. Every second piece matches the typed words. */
export const markedPieces = (text: string, query: string): string[] => {
  const words = searchTermsOf(query.replaceAll(',', ' ')).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return words.length === 0 ? [text] : text.split(new RegExp(`(${words.join('|')})`, 'i'));
};
