/** Texts by key, nested as deep as one likes. */
export interface Texts {
  [key: string]: string | Texts
}

/**
 * Several text files in one tree. Each has its own top-level keys (a feature: the area's name).
 *
 * @param files texts by the name of their file
 * @throws Error when two files have the same top-level key: one would silently hide the other's texts
 */
export function mergeTexts(files: Record<string, unknown>): Texts {
  const all: Texts = {}
  for (const [file, texts] of Object.entries(files)) {
    if (!isTexts(texts)) throw new Error(`${file} has no texts`)
    for (const [key, value] of Object.entries(texts)) {
      if (key in all) throw new Error(`Text key "${key}" is there twice, the second time in ${file}`)
      all[key] = value
    }
  }
  return all
}

function isTexts(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null
}
