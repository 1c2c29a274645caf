import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '@emma/db/connection.ts'
import type { SendingRoute } from '../2-claim/sending-routes.ts'
import { applyReplyRules } from '../5-record/apply-reply-rules.ts'
import type { RuleHits } from '../5-record/count-replies.ts'
import { applyRule, compileRules, findRule, type ReplyRule } from '../5-record/match-reply.ts'
import { readRules } from '../5-record/read-rules.ts'
import type { ClaimedRow, Outcome } from '../model/outcome.ts'
import type { RunningCampaign } from './running-campaigns.ts'
import { addressKey } from '@emma/mail/address.ts'

/**
 * Holds the rules over replies against what servers say. Deciding is done on the spot and touches nothing; what follows
 * from it (back-offs, pauses, notifications) is gathered and written down by the second.
 */
export interface ReplyRules {
  evaluate(outcome: Outcome, mail: RuledMail): Outcome
  /** Takes changed rules over. */
  refresh(): Promise<void>
  /** Resolves when everything is written down. */
  drained(): Promise<void>
}

export interface RuledMail {
  campaign: RunningCampaign
  route: SendingRoute
  row: ClaimedRow
  /** Seconds here for a second of waiting in life. */
  scale: number
}

/** How often rules are read again, and how long hits are gathered. */
const READ_AGAIN = 2_000
const GATHER = 300

export function createReplyRules(
  db: Db,
  logger: { warn(fields: object, text: string): void; error(fields: object, text: string): void },
): ReplyRules {
  let rules: ReplyRule[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let hits = new Map<string, GroupedHits>()
  let writing: Promise<void> | null = null

  return {
    evaluate(outcome, mail) {
      const found = findRule(rules, mail.row.providerId, outcome)
      if (!found) return outcome
      gather(found.rule, found.reply.text, mail)
      return applyRule(outcome, found.rule, mail.scale)
    },
    async refresh() {
      if (performance.now() - readAt < READ_AGAIN) return
      readAt = performance.now()
      const compiled = compileRules(await readRules(db))
      for (const id of compiled.broken)
        logger.warn({ rule: id }, 'A reply rule has a pattern that cannot be read')
      rules = compiled.rules
    },
    async drained() {
      while (writing) await writing
    },
  }

  function gather(rule: ReplyRule, reply: string, { campaign, route, row, scale }: RuledMail): void {
    const { clientId, campaignId } = campaign
    const object = objectOf(rule, { campaign, route, row })
    const key = `${rule.id} ${object}`
    const existing = hits.get(key) ?? {
      rule,
      object,
      clientId,
      campaignId,
      mailclassId: route.mailclassId,
      providerId: row.providerId,
      sendIp: route.sendIp,
      email: rule.action === 'blacklist' ? row.email : null,
      reply,
      scale,
      count: 0,
      times: [],
    }
    hits.set(key, existing)
    existing.count++
    // As many as the rule asks for are enough, however many come: less time is gathered than the shortest window has.
    if (existing.times.length < rule.threshold) existing.times.push(performance.now())
    writing ??= write()
  }

  async function write(): Promise<void> {
    while (hits.size > 0) {
      await sleep(GATHER)
      const batch = [...hits.values()]
      hits = new Map()
      for (let failures = 0; ; failures++) {
        try {
          await applyReplyRules(db, batch)
          break
        } catch (error) {
          if (failures === 0)
            logger.error({ err: error }, 'What follows from replies could not be written down')
          // Figures and alerts, not mails: after a while there is no use in them.
          if (failures === 10) break
          await sleep(Math.min(5_000, 100 * 2 ** failures))
        }
      }
    }
    writing = null
  }
}

interface GroupedHits extends RuleHits {
  times: number[]
}

/** What a rule acts upon: hits on the same are counted together. */
function objectOf(rule: ReplyRule, { campaign, route, row }: Omit<RuledMail, 'scale'>): string {
  const { clientId, campaignId } = campaign
  switch (rule.action) {
    case 'backoff_provider':
      return `provider ${clientId}/${route.mailclassId}/${row.providerId}`
    case 'pause_campaign':
      return `campaign ${clientId}/${campaignId}`
    case 'quarantine_ip':
      return route.sendIp === null
        ? `class ${clientId}/${route.mailclassId}`
        : `ip ${clientId}/${route.sendIp}`
    case 'blacklist':
      return `address ${clientId}/${addressKey(row.email)}`
    default:
      return 'replies'
  }
}
