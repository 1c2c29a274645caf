import type { TestbedMail } from './testbed-mail.ts'

export interface VerdictCheck {
  kind: 'dkim' | 'spf' | 'dmarc'
  domain: string
  /** Result as named in the RFCs: pass, fail, none, softfail, neutral, temperror, permerror, policy. */
  result: string
  selector: string
  algorithm: string
  policy: string
  comment: string
}

/** Authentication checks of a message, including a missing DKIM signature. Empty if nothing was checked. */
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

/** Summary of a check's result. */
export function markOf(result: string): Mark {
  if (result === 'pass') return 'right'
  if (result === 'fail' || result === 'permerror') return 'wrong'
  return result === 'not sampled' || result === 'temperror' ? 'unknown' : 'doubtful'
}
