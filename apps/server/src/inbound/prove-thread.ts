import { parentPort } from 'node:worker_threads'
import { type ProvenComplaint, proveComplaint } from '@emma/mail/bounce/prove-complaint.ts'
import type { ThreadAnswer } from '../run-in-thread.ts'

export interface ProofInput {
  source: Uint8Array
  /** Signing domains of trusted feedback loops. */
  senders: readonly string[]
  /** TXT records by name, looked up before. */
  keys: ReadonlyMap<string, readonly string[]>
}

/** Verifies signatures in a worker thread: hashing large messages takes time. */
parentPort?.on('message', (input: ProofInput) => {
  void answer(input)
})

async function answer(input: ProofInput): Promise<void> {
  const result = await answerTo(input)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(result)
}

async function answerTo({
  source,
  senders,
  keys,
}: ProofInput): Promise<ThreadAnswer<ProvenComplaint | null>> {
  try {
    const raw = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    const resolveTxt = (name: string) => Promise.resolve(keys.get(name) ?? [])
    return { result: await proveComplaint(raw, senders, resolveTxt) }
  } catch (error) {
    return { error: String(error) }
  }
}
