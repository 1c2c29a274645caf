import { parentPort } from 'node:worker_threads'
import { parseSubmitted } from '@emma/mail/mime/parse-submitted.ts'

/** Parses submitted messages in a worker thread: a message must not stop the others. */
parentPort?.on('message', (source: Uint8Array) => {
  void answer(source)
})

async function answer(source: Uint8Array): Promise<void> {
  const result = await parseSubmitted(source).then(
    mail => ({ result: mail }),
    (error: unknown) => ({ error: String(error) }),
  )
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(result)
}
