/** Texts by key, nested to any depth. */
export interface Texts {
  [key: string]: string | Texts
}

/**
 * Merges text files into one tree. Each file has its own top-level keys (of a feature: the area's name).
 *
 * @param files texts by file name
 * @throws Error when two files share a top-level key, since one would hide the other
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
