/** Texts by key, nested as deep as one likes. */
export interface Texts {
  [key: string]: string | Texts
}

/**
 * The shell's texts and those of the features in one tree. Each file brings its own top-level key (the area's
 * name).
 *
 * @throws Error when two files bring the same one: one would silently hide the other's texts
 */
export function merged(shell: Texts, features: Record<string, unknown>): Texts {
  const all: Texts = { ...shell }
  for (const [file, texts] of Object.entries(features)) {
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
