import { afterEach } from 'vitest'

// React keeps a stack for each element that it creates, where it can: a quarter of the time of these tests.
Reflect.deleteProperty(console, 'createTask')

const faults: string[] = []
const allowed: RegExp[] = []

/**
 * Vitest's set-up of the screens project: page errors, console errors and rejected calls fail the running test. Vitest
 * writes page errors to the console.
 */
const writeError = console.error.bind(console)
console.error = (...values: unknown[]) => {
  recordFault(values.map(String).join(' '))
  writeError(...values)
}

afterEach(() => {
  const patterns = allowed.splice(0)
  const unexpected = faults.splice(0).filter(fault => !patterns.some(pattern => pattern.test(fault)))
  if (unexpected.length > 0) throw new Error(`Faults in the page:\n${unexpected.join('\n')}`)
})

export function recordFault(text: string): void {
  faults.push(text)
}

/** Faults that the running test expects. */
export function allowFaults(...patterns: RegExp[]): void {
  allowed.push(...patterns)
}
