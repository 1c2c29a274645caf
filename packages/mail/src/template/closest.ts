/** Returns the most similar known word, or null: at most a third of the letters may differ (two in short words). */
export function closest(word: string, known: readonly string[]): string | null {
  const wanted = simple(word)
  let best: string | null = null
  let least = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of known) {
    const steps = distance(wanted, simple(candidate), least)
    if (steps >= least || steps >= wanted.length) continue
    best = candidate
    least = steps
  }
  return best
}

function simple(word: string): string {
  return word
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
}

/** Levenshtein distance, where swapped adjacent letters count once; stops counting at `limit`. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let column = 1; column <= b.length; column++) line.push(cell(rows, line, a, b, row, column))
    rows.push(line)
  }
  return rows[a.length]?.[b.length] ?? limit
}

function cell(rows: number[][], line: number[], a: string, b: string, row: number, column: number): number {
  const above = rows[row - 1]!
  const change = a[row - 1] === b[column - 1] ? 0 : 1
  const plain = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + change)
  const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
  return swapped ? Math.min(plain, rows[row - 2]![column - 2]! + 1) : plain
}
