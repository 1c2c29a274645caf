import { parentPort } from 'node:worker_threads'
import type { PreviewInput } from '../content/preview-pool.ts'

/** Answers a preview with its subject, except the subject `loop`. */
parentPort?.on('message', ({ source: { subject } }: PreviewInput) => {
  while (subject === 'loop') void subject
  const result = { preview: { subject, html: '', text: '', warnings: [] }, canvas: null }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage({ result })
})
