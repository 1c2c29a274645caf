/** Parses daily volumes; null if any part is not a positive integer. */
export function readVolumes(text: string | null): number[] | null {
  const parts = (text ?? '').split(/[\s,;]+/).filter(part => part !== '')
  return parts.every(part => /^[1-9]\d{0,8}$/.test(part)) ? parts.map(Number) : null
}

/** Formats daily volumes: 50, 100, 200. */
export function writeVolumes(volumes: readonly number[] | undefined): string {
  return (volumes ?? []).join(', ')
}
