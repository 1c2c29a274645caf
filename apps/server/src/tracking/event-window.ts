import type { VerifiedEvent } from './tracking-event.ts'

/** Tracking events of the last seconds, to detect related ones. */
export interface EventWindow {
  /** Idempotent. */
  add(hit: VerifiedEvent): void
  /** Different links of the message clicked within a second of this click. */
  linksAround(hit: VerifiedEvent): number
  /** Different messages with events of this type from this IP address within a second. */
  mailsAround(hit: VerifiedEvent): number
  /** Removes events that are too old to matter for events from `at` on. */
  forgetBefore(at: number): void
}

/** Time of an event on a link index, or on a message. */
interface Mark {
  at: number
  what: string
}

/** Milliseconds between related events. */
const NEAR = 1_000

/** Maximum per address or message; more change nothing. */
const MOST = 50

export function createEventWindow(): EventWindow {
  const clicks = new Map<string, Mark[]>()
  const addresses = new Map<string, Mark[]>()
  return {
    add(hit) {
      const { at, ip, linkIndex } = hit
      const mail = mailOf(hit)
      if (hit.type === 'click') keep(clicks, mail, { at, what: String(linkIndex) })
      if (ip !== '') keep(addresses, `${hit.type} ${ip}`, { at, what: mail })
    },
    linksAround: hit => different(clicks.get(mailOf(hit)), hit.at),
    mailsAround: hit => different(addresses.get(`${hit.type} ${hit.ip}`), hit.at),
    forgetBefore(at) {
      for (const kept of [clicks, addresses]) forget(kept, at - NEAR)
    },
  }
}

/** Client, campaign, member. */
export function mailOf({ token: { clientId, campaignId, memberId } }: VerifiedEvent): string {
  return `${clientId}/${campaignId}/${memberId}`
}

/** Reinserted at the end: the first entry of the map has had no event for the longest time. */
function keep(kept: Map<string, Mark[]>, name: string, mark: Mark): void {
  const marks = kept.get(name) ?? []
  if (marks.some(({ at, what }) => at === mark.at && what === mark.what)) return
  kept.delete(name)
  marks.push(mark)
  if (marks.length > MOST) marks.shift()
  kept.set(name, marks)
}

function different(marks: readonly Mark[] = [], around: number): number {
  const whats = new Set<string>()
  for (const { at, what } of marks) if (Math.abs(at - around) < NEAR) whats.add(what)
  return Math.max(1, whats.size)
}

function forget(kept: Map<string, Mark[]>, before: number): void {
  for (const [name, marks] of kept) {
    if ((marks.at(-1)?.at ?? 0) >= before) return
    kept.delete(name)
  }
}
