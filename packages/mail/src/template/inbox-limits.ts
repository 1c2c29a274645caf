/** Characters that inboxes show in common widths: of a subject on phones and on desktops, of a preheader on phones. */
export const INBOX_LIMITS = { phone: 41, desktop: 70, preheader: 90 } as const

/** Length of a text in characters as people count them: an emoji is one. */
export function shownLength(text: string): number {
  // Longer texts are cut everywhere.
  const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text.slice(0, 2_000))
  return [...characters].length
}
