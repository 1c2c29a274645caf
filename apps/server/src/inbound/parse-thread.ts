import { parentPort } from 'node:worker_threads'
import type { InboundMail } from '@emma/mail/bounce/inbound-mail.ts'
import { parseInbound } from '@emma/mail/bounce/parse-inbound.ts'
import type { ThreadAnswer } from '../run-in-thread.ts'

/** Parses inbound messages in a worker thread, because they are untrusted. */
parentPort?.on('message', (source: Uint8Array) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(answerTo(source))
})

function answerTo(source: Uint8Array): ThreadAnswer<InboundMail> {
  try {
    return { result: parseInbound(Buffer.from(source.buffer, source.byteOffset, source.byteLength)) }
  } catch (error) {
    return { error: String(error) }
  }
}
