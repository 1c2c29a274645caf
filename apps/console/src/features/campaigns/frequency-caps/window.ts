/** Units that a window is written in, with their hours. */
export const windowUnits = { hours: 1, days: 24, weeks: 168 } as const
export type WindowUnit = keyof typeof windowUnits

export interface Window {
  length: number | null
  unit: WindowUnit
}

/** The largest unit that a window has a whole number of. */
export function windowOf(hours: number | null): Window {
  if (hours === null) return { length: 7, unit: 'days' }
  for (const unit of ['weeks', 'days'] as const)
    if (hours % windowUnits[unit] === 0) return { length: hours / windowUnits[unit], unit }
  return { length: hours, unit: 'hours' }
}

export function hoursOf({ length, unit }: Window): number | null {
  return length === null ? null : length * windowUnits[unit]
}
