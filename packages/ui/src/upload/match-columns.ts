import { normalize } from '../select/match-option.ts'

export interface MappingTarget {
  value: string
  label: string
  isRequired?: boolean
  /** Other column names that match: "mail", "e-mail address". */
  synonyms?: readonly string[]
}

/** Target by column of the file; null: not imported. */
export type Mapping = Readonly<Record<string, string | null>>

/** Matches columns to targets by name, each target once; columns without a match are null. */
export function matchColumns(columns: readonly string[], targets: readonly MappingTarget[]): Mapping {
  const taken = new Set<string>()
  const mapping: Record<string, string | null> = {}
  for (const column of columns) {
    const target = targets.find(candidate => !taken.has(candidate.value) && isNamed(candidate, column))
    mapping[column] = target?.value ?? null
    if (target) taken.add(target.value)
  }
  return mapping
}

export interface MappingFaults {
  /** Targets of more than one column. */
  twice: readonly MappingTarget[]
  /** Required targets without a column. */
  missing: readonly MappingTarget[]
}

export function mappingFaults(mapping: Mapping, targets: readonly MappingTarget[]): MappingFaults {
  const chosen = Object.values(mapping).filter(value => value !== null)
  const times = (target: MappingTarget) => chosen.filter(value => value === target.value).length
  return {
    twice: targets.filter(target => times(target) > 1),
    missing: targets.filter(target => target.isRequired === true && times(target) === 0),
  }
}

function isNamed(target: MappingTarget, column: string): boolean {
  const name = plain(column)
  return [target.value, target.label, ...(target.synonyms ?? [])].some(known => plain(known) === name)
}

/** Normalizes names: ignores case, accents, whitespace, dashes and underscores. */
function plain(name: string): string {
  return normalize(name).replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
}
