import { createTokenBucket } from './token-bucket.ts'
import type { Resolver } from './zone.ts'

/** Result of an independent verification (mailauth) of a message. */
export interface Verdict {
  /** `not sampled`: not checked (too many messages at once, or DNS failed). */
  verified: 'pass' | 'fail' | 'not sampled'
  /** Text for display. */
  reason: string
  dkim: { domain: string; selector: string; algorithm: string; result: string; comment: string }[]
  spf: { domain: string; result: string } | null
  dmarc: { domain: string; result: string; policy: string } | null
}

/** Sample: every message up to `perSecond`, and the share `fraction` (0 to 1) of the rest. */
export interface VerifySample {
  perSecond: number
  fraction: number
}

/** Connection data about the sender of a message. */
export interface Arrival {
  sender: string
  ip: string
  helo: string
  /** Receiving host, as named in the results. */
  host: string
}

/** Creates a verifier that checks messages within the sample; others get `not sampled`. Never rejects. */
export function createVerifier(
  resolver: Resolver,
  sample: VerifySample,
): (raw: Buffer, arrival: Arrival, now: number) => Promise<Verdict> {
  const bucket = createTokenBucket(sample.perSecond)
  let share = 0
  return async (raw, arrival, now) => {
    if (sample.perSecond > 0 && bucket.take(now)) return authenticateMail(raw, arrival, resolver)
    share += sample.fraction
    if (share < 1) return NOT_SAMPLED
    share -= 1
    return authenticateMail(raw, arrival, resolver)
  }
}

export const NOT_SAMPLED: Verdict = {
  verified: 'not sampled',
  reason: 'Not checked: more mails arrived at once than are checked one by one.',
  dkim: [],
  spf: null,
  dmarc: null,
}

/**
 * Verifies DKIM (RFC 6376, 8463), SPF (RFC 7208) and DMARC (RFC 7489) of a raw message. It passes with DMARC, or, if
 * the domain publishes no DMARC policy, with any valid DKIM signature. If DNS fails, the result is unknown.
 */
export async function authenticateMail(raw: Buffer, arrival: Arrival, resolver: Resolver): Promise<Verdict> {
  // A fifth of the start of every process that reads the testbed's mails, most of which verify none.
  const { authenticate } = await import('mailauth')
  try {
    const result = await authenticate(raw, {
      sender: arrival.sender,
      ip: arrival.ip,
      helo: arrival.helo,
      mta: arrival.host,
      resolver: withTimeout(resolver),
      // No external requests: BIMI would fetch logos, ARC is for forwarders.
      disableBimi: true,
      disableArc: true,
    })
    // A message without signature has one result, `none`, without a domain.
    const signatures = result.dkim.results.filter(signature => signature.signingDomain)
    const dkim = signatures.map(signature => ({
      domain: signature.signingDomain ?? '',
      selector: signature.selector ?? '',
      algorithm: signature.algo ?? '',
      result: signature.status.result,
      comment: signature.status.comment ?? '',
    }))
    const spf = result.spf ? { domain: result.spf.domain, result: result.spf.status.result } : null
    const dmarc = result.dmarc
      ? { domain: result.dmarc.domain, result: result.dmarc.status.result, policy: result.dmarc.policy }
      : null
    return { ...judge(dkim, spf, dmarc), dkim, spf, dmarc }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return {
      verified: 'fail',
      reason: `The mail could not be checked: ${reason}`,
      dkim: [],
      spf: null,
      dmarc: null,
    }
  }
}

function judge(
  dkim: Verdict['dkim'],
  spf: Verdict['spf'],
  dmarc: Verdict['dmarc'],
): Pick<Verdict, 'verified' | 'reason'> {
  const signed = dkim.find(signature => signature.result === 'pass')
  if (dmarc && dmarc.result === 'pass') {
    return { verified: 'pass', reason: `DMARC of ${dmarc.domain} passes.` }
  }
  if ([...dkim, spf, dmarc].some(check => check?.result === 'temperror')) {
    return { verified: 'not sampled', reason: 'Not checked: DNS gave no answer.' }
  }
  if (dmarc && dmarc.result !== 'none') {
    return {
      verified: 'fail',
      reason: `DMARC of ${dmarc.domain} does not pass (${dmarc.result}): neither DKIM nor SPF passes for the domain in From.`,
    }
  }
  if (signed) {
    return {
      verified: 'pass',
      reason: `DKIM of ${signed.domain} passes; the domain in From has no DMARC policy.`,
    }
  }
  const broken = dkim[0]
  if (broken) {
    const why = broken.comment || broken.result
    return { verified: 'fail', reason: `The DKIM signature of ${broken.domain} does not pass: ${why}.` }
  }
  const spfWords = spf ? `SPF of ${spf.domain}: ${spf.result}` : 'no SPF either'
  return { verified: 'fail', reason: `The mail has no DKIM signature (${spfWords}).` }
}

/** Milliseconds after which a lookup counts as unanswered. */
const LOOKUP_TIMEOUT = 3000

function withTimeout(resolver: Resolver): Resolver {
  return (name, type) => {
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Resolver>>>()
    const timer = setTimeout(() => reject(dnsTimeout(name)), LOOKUP_TIMEOUT)
    resolver(name, type)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
    return promise
  }
}

function dnsTimeout(name: string): Error {
  return Object.assign(new Error(`No answer for ${name}`), { code: 'ETIMEOUT' })
}
