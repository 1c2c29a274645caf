import type { SelectOption, SelectValue } from './select-source.ts'

export interface SelectionChange<V extends SelectValue> {
  options: readonly SelectOption<V>[]
  /** Default options that would be removed; the user has to confirm (R271). */
  removedDefaults: readonly SelectOption<V>[]
}

/** Selection after a change; fixed options are never removed (R272). */
export function changedSelection<V extends SelectValue>(
  before: readonly SelectOption<V>[],
  after: readonly SelectOption<V>[],
  rules: { fixed: readonly V[]; defaults: readonly V[] },
): SelectionChange<V> {
  const isIn = (options: readonly SelectOption<V>[], value: V) =>
    options.some(option => option.value === value)
  const removed = before.filter(option => !isIn(after, option.value))
  const kept = removed.filter(option => rules.fixed.includes(option.value))
  return {
    options: [...kept, ...after],
    removedDefaults: removed.filter(
      option => rules.defaults.includes(option.value) && !rules.fixed.includes(option.value),
    ),
  }
}

/** Moves fixed options to the front. */
export function fixedFirst<V extends SelectValue>(
  options: readonly SelectOption<V>[],
  fixed: readonly V[],
): readonly SelectOption<V>[] {
  if (fixed.length === 0) return options
  return [
    ...options.filter(option => fixed.includes(option.value)),
    ...options.filter(option => !fixed.includes(option.value)),
  ]
}
