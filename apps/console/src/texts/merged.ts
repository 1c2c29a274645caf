/** Texts by key, nested as deep as one likes. */
export interface Texts {
  [key: string]: string | Texts
}

/**
 * The texts of several files in one tree. Each file brings its own top-level keys (a feature: the area's name).
 *
 * @param files texts by the name of their file
 * @throws Error when two files bring the same key: one would silently hide the other's texts
 */
export function merged(files: Record<string, unknown>): Texts {
  const all: Texts = {}
  for (const [file, texts] of Object.entries(files)) {
    if (!isTexts(texts)) throw new Error(`${file} does not export its texts under its language's name`)
    for (const [key, value] of Object.entries(texts)) {
      if (key in all) throw new Error(`Texts "${key}" are there twice, the second time in ${file}`)
      all[key] = value
    }
  }
  return all
}

function isTexts(value: unknown): value is Texts {
  return typeof value === 'object' && value !== null
}
