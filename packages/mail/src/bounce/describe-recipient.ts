import { classifyCodes, classifyWords } from '../smtp/classify-reply.ts'
import { parseQuotedReply } from '../smtp/reply.ts'
import type { InboundRecipient } from './inbound-mail.ts'
import type { RecipientReport } from './report-fields.ts'

const MAX_WORDS = 8_000
const MAX_DIAGNOSTIC = 1_000

/**
 * Puts together what is known of one recipient.
 * @param block the prose about this recipient, or ''
 * @param text the whole prose where it can only be about this recipient, or ''
 */
export function describeRecipient(fields: RecipientReport, block: string, text: string): InboundRecipient {
  const words = [fields.diagnostic, block, text]
    .map(part => part.slice(0, MAX_WORDS))
    .filter(part => part !== '')
  const replies = words.map(part => parseQuotedReply(part))
  const quoted = replies.find(({ code, enhanced }) => code !== null || enhanced !== null)
  const code = quoted?.code ?? null
  const status = bestStatus(fields.status, quoted?.enhanced ?? null)
  const action = toAction(fields.action, status, code)
  const found =
    firstOf(replies, reply => classifyWords(reply.text)) ?? classifyCodes({ code, enhanced: status })
  const isPermanent = action === 'failed' && !(status ?? String(code ?? '')).startsWith('4')
  return {
    address: fields.address,
    status,
    reply: code,
    diagnostic: (replies[0]?.text ?? '').slice(0, MAX_DIAGNOSTIC),
    hard: isPermanent && (found === 'bad-mailbox' || found === 'bad-domain'),
    class: action === 'delivered' ? 'other' : found,
    action,
  }
}

/** The status that says more: many systems write 5.0.0 where the reply they quote knows better. */
function bestStatus(reported: string, quoted: string | null): string | null {
  if (reported === '') return quoted
  return quoted !== null && reported.endsWith(".0.0") ? quoted : reported
}

function toAction(action: string, status: string | null, code: number | null): InboundRecipient['action'] {
  if (action === 'failed' || action === 'delayed') return action
  if (/^(?:delivered|relayed|expanded)$/.test(action)) return 'delivered'
  const kind = status?.[0] ?? String(code ?? '')[0]
  return kind === '2' ? 'delivered' : 'failed'
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item)
    if (found !== null) return found
  }
  return null
}
