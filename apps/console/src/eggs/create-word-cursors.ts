/**
 * One cursor a word: it advances with each matching key and goes back to 0 with any other, also with one that would
 * begin the word anew (R322): QQUAKE is no QUAKE.
 *
 * @returns takes the name of a key as `KeyboardEvent.key` has it, and answers the words that it completes
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
