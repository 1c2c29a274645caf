/** Returns the next index of a pattern in a text from an offset on, or -1. */
export type TextFinder = (text: string, from?: number) => number

/**
 * Searches in linear time. `String.indexOf` takes quadratic time for patterns that nearly match everywhere (4 s for
 * 0.1 MB in 1 MB) and is only used for short patterns. Longer ones use the Knuth–Morris–Pratt prefix function.
 */
export function textFinder(what: string): TextFinder {
  if (what.length <= MAX_NATIVE_PATTERN) return (text, from = 0) => text.indexOf(what, from)
  let borders: Int32Array | undefined
  return (text, from = 0) => {
    if (text.length - from < what.length) return -1
    borders ??= bordersOf(what)
    let matched = 0
    for (let index = from; index < text.length; index++) {
      const code = text.charCodeAt(index)
      while (matched > 0 && code !== what.charCodeAt(matched)) matched = borders[matched - 1] ?? 0
      if (code === what.charCodeAt(matched)) matched++
      if (matched === what.length) return index - matched + 1
    }
    return -1
  }
}

/** Same as `text.split(what)`. */
export function splitText(text: string, what: string): string[] {
  if (what.length <= MAX_NATIVE_PATTERN) return text.split(what)
  const find = textFinder(what)
  const pieces: string[] = []
  let start = 0
  for (let place = find(text); place >= 0; place = find(text, start)) {
    pieces.push(text.slice(start, place))
    start = place + what.length
  }
  pieces.push(text.slice(start))
  return pieces
}

const MAX_NATIVE_PATTERN = 64

/** For each prefix, the length of its longest proper prefix that is also its suffix. */
function bordersOf(what: string): Int32Array {
  const borders = new Int32Array(what.length)
  let length = 0
  for (let index = 1; index < what.length; index++) {
    const code = what.charCodeAt(index)
    while (length > 0 && code !== what.charCodeAt(length)) length = borders[length - 1] ?? 0
    if (code === what.charCodeAt(length)) length++
    borders[index] = length
  }
  return borders
}
