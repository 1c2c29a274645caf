import { normalize } from '../select/match-option.ts'

export interface MappingTarget {
  value: string
  label: string
  isRequired?: boolean
  /** Other names under which files know it: "mail", "e-mail address". */
  synonyms?: readonly string[]
}

/** Column of the file → target; null: not imported. */
export type Mapping = Readonly<Record<string, string | null>>

/** Matches columns to targets by their names, each target once; what has no match is left out. */
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
  /** Targets chosen for more than one column. */
  twice: readonly MappingTarget[]
  /** Required targets that no column goes into. */
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

/** Names without what people vary: case, accents, blanks, dashes, underscores. */
function plain(name: string): string {
  return normalize(name).replaceAll(/[^\p{Letter}\p{Number}]/gu, '')
}
