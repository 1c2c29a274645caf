import { type AgentKey, chooseReader } from './agents.ts'
import { draw, type Fate } from './choose-fate.ts'

/** Reactions to an accepted message. */
export type ReactionKind =
  /** Images are loaded. */
  | 'open'
  /** One link is followed. */
  | 'click'
  /** All links are followed at once, by a scanner. */
  | 'scan'
  /** One-click unsubscribe (RFC 8058), or the mailto of List-Unsubscribe. */
  | 'unsubscribe-post'
  | 'unsubscribe-mail'
  /** A complaint report (RFC 5965). */
  | 'complaint'
  /** A delivery status notification (RFC 3464). */
  | 'dsn'

export interface PlannedReaction {
  kind: ReactionKind
  /** Seconds after acceptance, in real time. */
  delay: number
  agent: AgentKey
}

/** True for messages of servers, which are resent until they are accepted, unlike visits. */
export function isServerMail(kind: ReactionKind): boolean {
  return kind === 'dsn' || kind === 'complaint' || kind === 'unsubscribe-mail'
}

const KINDS: Readonly<Record<ReactionKind, true>> = {
  open: true,
  click: true,
  scan: true,
  'unsubscribe-post': true,
  'unsubscribe-mail': true,
  complaint: true,
  dsn: true,
}

export function isReactionKind(kind: string): kind is ReactionKind {
  return Object.hasOwn(KINDS, kind)
}

/**
 * Plans the reactions to a message: forced by a special local part, otherwise derived from address, seed and subject
 * (so that another campaign affects other readers, and the same campaign the same ones). Spam is not read.
 */
export function planReactions(
  address: string,
  fate: Fate,
  mail: { subject: string; folder: Fate['folder'] },
  seed: string,
): PlannedReaction[] {
  const chance = (purpose: string) => draw(address, seed, `${purpose} ${mail.subject}`)
  const { provider } = fate
  const reader = chooseReader(address, seed, provider.imageProxy)
  const planned: PlannedReaction[] = []
  const plan = (kind: ReactionKind, delay: number, agent: AgentKey) =>
    void planned.push({ kind, delay, agent })

  if (fate.behaviour === 'dsn') plan('dsn', 20 + 600 * chance('dsn delay'), 'server')
  if (fate.forced !== null && fate.forced !== 'none') planForced(fate.forced)
  else if (fate.forced === null && fate.behaviour !== 'dsn' && mail.folder !== 'spam') planByChance()
  return planned

  function planForced(forced: Exclude<Fate['forced'], 'none' | null>): void {
    if (forced === 'quiet') return
    if (forced === 'scan') return plan('scan', 1, 'gateway-scanner')
    plan('open', 150, reader.opens)
    if (forced === 'click') plan('click', 180, reader.clicks)
    if (forced === 'complain') plan('complaint', 200, 'server')
    if (forced === 'unsubscribe') planUnsubscribe(200)
  }

  function planByChance(): void {
    const { engagement } = provider
    if (chance('scanner') < engagement.scanner) {
      plan(
        'scan',
        1 + 4 * chance('scan delay'),
        chance('scanner kind') < 0.7 ? 'gateway-scanner' : 'barracuda-scanner',
      )
    }
    const prefetched = provider.imageProxy === 'apple-mpp'
    if (prefetched) plan('open', 5 + 60 * chance('prefetch delay'), 'apple-mpp')
    // Promotions are read too, by fewer people.
    const open = engagement.open * (mail.folder === 'promotions' ? 0.6 : 1)
    const opened = chance('open') < open
    const openedAt = readingDelay(chance('open delay'))
    if (opened) {
      if (!prefetched) plan('open', openedAt, reader.opens)
      if (chance('click') < engagement.click)
        plan('click', openedAt + 15 + 90 * chance('click delay'), reader.clicks)
      if (chance('unsubscribe') < engagement.unsubscribe) planUnsubscribe(openedAt + 30)
    }
    if (chance('complaint') < engagement.complaint) plan('complaint', openedAt + 120, 'server')
  }

  function planUnsubscribe(delay: number): void {
    if (chance('unsubscribe way') < 0.8) plan('unsubscribe-post', delay, 'server')
    else plan('unsubscribe-mail', delay, 'server')
  }
}

/** Nobody reads within two minutes; half of the readers within 35, the last after two days. */
function readingDelay(chance: number): number {
  return Math.min(120 + 3500 * Math.abs(Math.log(1 - chance)) ** 1.5, 172_800)
}
