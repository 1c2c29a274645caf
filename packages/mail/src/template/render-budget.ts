import { mailFault } from '../mail-fault.ts'
import { RenderError } from './template-error.ts'

/**
 * Work budget of a render, in characters that filters and outputs read and write. Counted, not timed: a busy machine
 * must not decide who gets a mail. Rendering is synchronous, so that one counter serves all renders of a thread.
 */
const MAX_WORK_CHARACTERS = 20_000_000

let left = MAX_WORK_CHARACTERS

/** Starts the budget of one mail, or of one part rendered alone. */
export function startRender(): void {
  left = MAX_WORK_CHARACTERS
}

/**
 * Counts work of the current render.
 * @throws RenderError when the render has used its budget up
 */
export function spendWork(characters: number): void {
  left -= characters
  if (left < 0) throw new RenderError(mailFault('content.template_costly'))
}

/** The work a value stands for where it is read or written: the length of a text, and of all texts in a list. */
export function workOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'object' && value !== null ? sizeOf(value, new Map(), 0) : 1
}

/** What occurs again is looked at once. */
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

/** What lies deeper is shown by nothing. */
export const MAX_DEPTH = 50
