/** Marks the section that it begins as counted. A comment of Liquid: it renders to nothing, here and elsewhere. */
export const countedMark = '{% # counted %}'

const anyMark = /\{%-?\s*#\s*counted\s*-?%\}/

/** Whether a piece of Liquid is the mark of counted sections. */
export function isCountedMark(text: string): boolean {
  return anyMark.exec(text)?.[0] === text
}

export function hasCountedMark(source: string): boolean {
  return anyMark.test(source)
}
