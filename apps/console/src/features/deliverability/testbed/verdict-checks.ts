import type { TestbedMail } from './testbed-mail.ts'

export interface VerdictCheck {
  kind: 'dkim' | 'spf' | 'dmarc'
  domain: string
  /** As the RFCs name it: pass, fail, none, softfail, neutral, temperror, permerror, policy. */
  result: string
  selector: string
  algorithm: string
  policy: string
  comment: string
}

/**
 * What was checked about a mail, one after another: a missing signature is a result as well. Empty where nothing was
 * checked.
 */
export function checksOf(verdict: TestbedMail['verdict']): VerdictCheck[] {
  const { dkim, spf, dmarc } = verdict
  const wasChecked = dkim.length > 0 || spf !== null || dmarc !== null
  if (!wasChecked) return []
  const signatures = dkim.length > 0 ? dkim.map(each => ({ ...nothing, ...each })) : [nothing]
  return [
    ...signatures.map(each => ({ ...each, kind: 'dkim' as const })),
    ...(spf ? [{ ...nothing, ...spf, kind: 'spf' as const }] : []),
    ...(dmarc ? [{ ...nothing, ...dmarc, kind: 'dmarc' as const }] : []),
  ]
}

const nothing = { domain: '', result: 'none', selector: '', algorithm: '', policy: '', comment: '' }

export type Mark = 'right' | 'wrong' | 'doubtful' | 'unknown'

/** What a result means at a glance. */
export function markOf(result: string): Mark {
  if (result === 'pass') return 'right'
  if (result === 'fail' || result === 'permerror') return 'wrong'
  return result === 'not sampled' || result === 'temperror' ? 'unknown' : 'doubtful'
}
