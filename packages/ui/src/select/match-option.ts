/** Text as it is compared: lower case, without accents, trimmed (R270). */
export function normalize(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .trim()
}

/** Does the label contain what was typed, whatever its case and accents? */
export function matches(label: string, typed: string): boolean {
  return normalize(label).includes(normalize(typed))
}

/**
 * Is a new option offered for the typed text (R269)? Only if there is text and no label equals it, leaving aside
 * a count behind the label ("Müller (3)"); equality is the same as in matching (T21).
 */
export function isCreatable(typed: string, labels: readonly string[]): boolean {
  const wanted = normalize(typed)
  return wanted !== '' && !labels.some(label => normalize(withoutCount(label)) === wanted)
}

function withoutCount(label: string): string {
  return label.replace(/ \(\d+\)$/, '')
}
