/** Normalizes text for comparison: lowercase, without accents, trimmed (R270). */
export function normalize(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim()
}

/** True if the label contains the search text, ignoring case and accents. */
export function matches(label: string, typed: string): boolean {
  return normalize(label).includes(normalize(typed))
}

/**
 * True if a new option is offered for the text (R269): it is not blank, and no label equals it, ignoring a trailing
 * count ("Müller (3)"); compared as in `matches` (T21).
 */
export function isCreatable(typed: string, labels: readonly string[]): boolean {
  const wanted = normalize(typed)
  return wanted !== '' && !labels.some(label => normalize(withoutCount(label)) === wanted)
}

function withoutCount(label: string): string {
  return label.replace(/ \(\d+\)$/, '')
}
