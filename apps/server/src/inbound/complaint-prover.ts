import type { ProvenComplaint } from '@emma/mail/bounce/prove-complaint.ts'
import { claimedSignatures, type ResolveTxt } from '@emma/mail/dkim/verify-mail.ts'
import type { Logger } from '../logger.ts'
import { createThread } from '../run-in-thread.ts'
import type { ProofInput } from './prove-thread.ts'

export interface ComplaintProver {
  /** Null if it cannot be verified for any reason. Never rejects, and is limited in time. */
  prove(source: Buffer): Promise<ProvenComplaint | null>
  close(): Promise<void>
}

interface ProverOptions {
  /** Signing domains of trusted feedback loops. */
  readSenders: () => Promise<readonly string[]>
  resolveTxt: ResolveTxt
  limits: { proofTimeoutMs: number; proofDnsTimeoutMs: number; proofs: number }
}

/**
 * Verifies complaints by the signature of their report. Only messages that claim a trusted signature wait for DNS, so
 * that others cannot cause delays; beyond `limits.proofs` concurrent ones they count as not verified.
 */
export function createComplaintProver(
  { readSenders, resolveTxt, limits }: ProverOptions,
  logger: Logger,
): ComplaintProver {
  const thread = createThread<ProofInput, ProvenComplaint | null>(
    new URL('prove-thread.ts', import.meta.url),
    {
      processorMs: limits.proofTimeoutMs,
      memoryMb: 128,
    },
  )
  let running = 0

  async function work(source: Buffer): Promise<ProvenComplaint | null> {
    const senders = await readSenders()
    const names = new Set(claimedSignatures(source, senders).map(({ keyName }) => keyName))
    if (names.size === 0) return null
    const keys = await within(limits.proofDnsTimeoutMs, findKeys([...names]))
    return keys && thread.run({ source, senders, keys })
  }

  async function findKeys(names: readonly string[]): Promise<Map<string, readonly string[]>> {
    return new Map(await Promise.all(names.map(async name => [name, await resolveTxt(name)] as const)))
  }

  return {
    async prove(source) {
      if (running >= limits.proofs) return null
      running++
      const proof = work(source).catch((error: unknown) => {
        logger.warn({ err: error }, 'a complaint could not be checked; it counts as not verified')
        return null
      })
      void proof.finally(() => running--)
      return within(limits.proofTimeoutMs, proof)
    },
    close: () => thread.close(),
  }
}

/** Null on timeout. */
async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | null> {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(resolve, timeoutMs, null)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
