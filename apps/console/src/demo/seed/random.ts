/** Seeded random number generator; `next()` is in [0, 1). */
export interface Random {
  next(): number
  /** An integer, both bounds included. */
  between(least: number, most: number): number
  /** A fraction, rounded to four decimals. */
  share(least: number, most: number): number
  pick<T>(choices: readonly [T, ...T[]]): T
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state suffice for demo data. */
export function createRandom(seed: number): Random {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    share: (least, most) => Math.round((least + next() * (most - least)) * 10_000) / 10_000,
    pick: choices => choices[Math.floor(next() * choices.length)] ?? choices[0],
  }
}

/** The day as `YYYY-MM-DD` in the browser's time zone. */
export function dayOf(date: Date): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** Local midnight at the start of the day `days` days ago. */
export function daysBack(now: Date, days: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)
}
