/** The daily volumes somebody has written; null when there is something else among them. */
export function readVolumes(text: string | null): number[] | null {
  const parts = (text ?? '').split(/[\s,;]+/).filter(part => part !== '')
  return parts.every(part => /^[1-9]\d{0,8}$/.test(part)) ? parts.map(Number) : null
}

/** As people write them: 50, 100, 200. */
export function writeVolumes(volumes: readonly number[] | undefined): string {
  return (volumes ?? []).join(', ')
}
