/** What is wrong with a field; what stands in braces is filled in. */
export const fieldFaults = {
  place: 'line {line}, column {column}: {fault}',
} as const
