/** How many panes stand side by side, by the name of the layout. */
export const layouts = {
  one: { panes: 1, label: 'One picture' },
  two: { panes: 2, label: 'Two side by side' },
  four: { panes: 4, label: 'Two by two' },
} as const;

export type Layout = keyof typeof layouts;

export const layoutNames = ['one', 'two', 'four'] as const satisfies readonly Layout[];

/** The layout after this one, and round to the first. */
export const layoutAfter = (layout: Layout): Layout =>
  layoutNames[(layoutNames.indexOf(layout) + 1) % layoutNames.length] ?? 'one';
