/**
 * Creates one cursor per word. A matching key advances it; any other key resets it to 0, even if that key is the word's
 * first letter (R322): QQUAKE does not match QUAKE.
 *
 * @returns a function that takes `KeyboardEvent.key` and returns the names of the words it completes
 */
export function createWordCursors<Name extends string>(
  words: Readonly<Record<Name, string>>,
): (key: string) => Name[] {
  const cursors = new Map<Name, number>()
  return key => {
    const completed: Name[] = []
    for (const name of namesOf(words)) {
      const word = words[name]
      const at = cursors.get(name) ?? 0
      const next = key.toUpperCase() === word[at] ? at + 1 : 0
      if (next === word.length) completed.push(name)
      cursors.set(name, next % word.length)
    }
    return completed
  }
}

function namesOf<Name extends string>(words: Readonly<Record<Name, string>>): Name[] {
  const names: Name[] = []
  for (const name in words) names.push(name)
  return names
}
