import { mailFault } from '../mail-fault.ts'
import { RenderError } from './template-error.ts'

/**
 * Work budget of a render, in characters that filters and outputs read and write. Counted rather than timed, because
 * load must not decide who gets a message. Rendering is synchronous, so one counter serves all renders of a thread.
 */
const MAX_WORK_CHARACTERS = 20_000_000

let left = MAX_WORK_CHARACTERS

/** Starts the budget of one message, or of one part rendered alone. */
export function startRender(): void {
  left = MAX_WORK_CHARACTERS
}

/**
 * Charges work to the current render.
 * @throws RenderError if the budget is exceeded
 */
export function spendWork(characters: number): void {
  left -= characters
  if (left < 0) throw new RenderError(mailFault('content.template_costly'))
}

/** Returns the cost of reading or writing a value: the length of a text, and of all texts in a list. */
export function workOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? sizeOf(value, new Map(), 0) : 1
}

/** Repeated objects are measured once. */
function sizeOf(value: object, known: Map<object, number>, depth: number): number {
  const before = known.get(value)
  if (before !== undefined) return before
  known.set(value, 1)
  let size = 1
  if (depth < MAX_DEPTH) {
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      if (typeof item === 'string') size += item.length + 1
      else size += typeof item === 'object' && item !== null ? sizeOf(item, known, depth + 1) : 1
    }
  }
  known.set(value, size)
  return size
}

/** Deeper values are never displayed. */
export const MAX_DEPTH = 50
