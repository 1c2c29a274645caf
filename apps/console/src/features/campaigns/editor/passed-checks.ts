import type { Campaign } from './campaign-steps.ts'
import type { Finding } from './finding.ts'

export type Check = 'content' | 'unsubscribe' | 'imprint' | 'audience' | 'sender' | 'route' | 'test'

interface CheckResult {
  errors: readonly Finding[]
  warnings: readonly Finding[]
}

/** Fields whose findings fail a check. */
const fieldsOf = {
  content: ['message_id', 'subject'],
  audience: ['list_id', 'exclude_list_ids', 'blacklist_ids', 'capping_id'],
  sender: ['domain_id', 'fromadr', 'fromname', 'reply_to'],
  route: ['mailclass_id', 'esp_id', 'client_id'],
} as const

const linkCodes = ['no-unsubscribe', 'no-imprint']

/** The checks that no finding fails. */
export function passedChecks(
  { message_id, tested_at }: Pick<Campaign, 'message_id' | 'tested_at'>,
  { errors, warnings }: CheckResult,
): Check[] {
  const findings = [...errors, ...warnings]
  const isClear = (check: keyof typeof fieldsOf) =>
    !findings.some(
      ({ code, field }) => !linkCodes.includes(code) && fieldsOf[check].some(known => known === field),
    )
  const lacks = (code: string) => findings.some(finding => finding.code === code)
  const isContentFine = message_id !== null && isClear('content')
  const passed: Record<Check, boolean> = {
    content: isContentFine,
    unsubscribe: isContentFine && !lacks('no-unsubscribe'),
    imprint: isContentFine && !lacks('no-imprint'),
    audience: isClear('audience'),
    sender: isClear('sender'),
    route: isClear('route'),
    test: tested_at !== null,
  }
  const order: readonly Check[] = ['content', 'unsubscribe', 'imprint', 'audience', 'sender', 'route', 'test']
  return order.filter(check => passed[check])
}
