/** Faults of fields. Braces contain names of values. */
export const fieldFaults = {
  place: 'line {line}, column {column}: {fault}',
} as const
