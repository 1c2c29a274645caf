import { parentPort } from 'node:worker_threads'
import type { ThreadAnswer } from '../../run-in-thread.ts'
import {
  changeSource,
  type ParsedSource,
  parseSource,
  type SourceChange,
  type ChangedSource,
} from './parse-source.ts'

export type SourceTask = { parse: string } | { change: SourceChange }
export type SourceAnswer = { parsed: ParsedSource } | { changed: ChangedSource | null }

/** Parses imported sources in a worker thread, because they are untrusted. */
parentPort?.on('message', (task: SourceTask) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answerTo(task))
})

function answerTo(task: SourceTask): ThreadAnswer<SourceAnswer> {
  try {
    return {
      result: 'parse' in task ? { parsed: parseSource(task.parse) } : { changed: changeSource(task.change) },
    }
  } catch (error) {
    return { error: String(error) }
  }
}
