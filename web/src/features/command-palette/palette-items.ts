/** Something that can be gone to or done. */
export type PaletteItem = {
  id: string;
  label: string;
  detail?: string | undefined;
  /** What it is found by, beside what is seen of it. */
  keywords?: string;
} & ({ href: string } | { run: () => void });

export type PaletteGroup = { name: string; items: PaletteItem[] };

export const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The items that hold every word, in their order. */
export const matching = (items: readonly PaletteItem[], text: string): PaletteItem[] => {
  const words = wordsOf(text);
  return items.filter(({ label, detail = '', keywords = '' }) => {
    const held = `${label} ${detail} ${keywords}`.toLowerCase();
    return words.every((word) => held.includes(word));
  });
};

/** A text in pieces, of which every second one is what was typed. */
export const markedPieces = (text: string, typed: string): string[] => {
  const words = wordsOf(typed.replaceAll(',', ' ')).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return words.length === 0 ? [text] : text.split(new RegExp(`(${words.join('|')})`, 'i'));
};
