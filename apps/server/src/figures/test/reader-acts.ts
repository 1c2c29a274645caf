import { expect } from 'vitest'
import * as books from './book.ts'
import type { Campaign } from './book.ts'
import { leftMail, type Step, tokenOf, type World } from './world.ts'

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

/** Requesting programs, and the expected classification of an open and a click of each. */
const READERS = [
  { agent: CHROME, open: 'human', click: 'human', device: 'desktop' },
  { agent: IPHONE, open: 'human', click: 'human', device: 'mobile' },
  { agent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)', open: 'human', click: 'machine', device: null },
  { agent: 'Mozilla/5.0', open: 'apple_mpp', click: 'machine', device: null },
  { agent: 'Barracuda Sentinel', open: 'scanner', click: 'scanner', device: null },
  { agent: 'curl/8.5.0', open: 'machine', click: 'machine', device: null },
] as const

/**
 * An open, a click or a browser view, once or twice; stored later than answered, sometimes from a dead process's
 * spool file.
 */
export async function hit(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, now } = world
  const { pick, isDoubled, isForged } = step
  const mail = leftMail(campaign, step)
  const reader = READERS[pick % READERS.length]
  if (!mail?.person || !reader) return
  const token = tokenOf(world, mail)
  if (isForged) {
    // A forged token, one of another client, or one of a test message.
    const [other] = world.book.tenants.filter(tenant => tenant !== campaign.tenant)
    const forged = `${token.slice(0, -3)}${token.endsWith('aaa') ? 'bbb' : 'aaa'}`
    for (const wrong of [
      forged,
      tokenOf(world, mail, { kind: 'test' }),
      tokenOf(world, mail, { clientId: other?.clientId ?? 0 }),
    ])
      await doors.ask(`/t/c/${wrong}/1`, { headers: { 'user-agent': CHROME } })
    return
  }
  const type =
    (['open', 'click', 'click', 'view', 'head', 'ahead'] as const)[Math.floor(pick / 7) % 6] ?? 'open'
  const link = mail.person.isGone ? 1 : Math.floor(pick / 50) % 2
  const paths = {
    open: `/t/o/${token}.gif`,
    click: `/t/c/${token}/${link}`,
    view: `/t/b/${token}`,
    head: `/t/o/${token}.gif`,
    ahead: `/t/o/${token}.gif`,
  }
  const address = `203.0.113.${(world.book.campaigns.indexOf(campaign) * 10 + campaign.mails.indexOf(mail)) % 250}`
  const line = lineOf(type, reader, link)
  const times = isDoubled ? 2 : 1
  if (type === 'click' || type === 'open') {
    // The classification depends on the delivery time, which is unknown before the reply.
    if (pick % 5 === 0 && (mail.state === 'sent' || mail.state === 'rejected')) {
      const left = {
        type,
        token,
        at: now,
        linkIndex: type === 'click' ? link : null,
        ip: address,
        userAgent: reader.agent,
        method: 'GET',
        isAhead: false,
        isForwarded: false,
      }
      doors.leave(Array.from({ length: times }, () => left))
      for (let time = 0; time < times; time++) world.waiting.push({ mail, line: { ...line, at: now } })
      return
    }
  }
  for (let time = 0; time < times; time++) {
    const status = await doors.ask(paths[type], {
      method: type === 'head' ? 'HEAD' : 'GET',
      headers: {
        'user-agent': reader.agent,
        'x-forwarded-for': address,
        ...(type === 'ahead' ? { 'sec-purpose': 'prefetch' } : {}),
      },
    })
    expect(status).toBe(type === 'click' ? 302 : 200)
    world.waiting.push({ mail, line })
  }
}

function lineOf(
  type: 'open' | 'click' | 'view' | 'head' | 'ahead',
  reader: (typeof READERS)[number],
  link: number,
) {
  const { device } = reader
  if (type === 'click') return { type, verdict: reader.click, device, link }
  if (type === 'head') return { type: 'open', verdict: 'scanner', device }
  if (type === 'ahead') return { type: 'open', verdict: 'prefetch', device }
  return { type, verdict: reader.open, device }
}

/** The pages behind the links: only POST has an effect. */
export async function page(world: World, campaign: Campaign, step: Step): Promise<void> {
  const { doors, book, now } = world
  const mail = leftMail(campaign, step)
  if (!mail?.person) return
  const token = tokenOf(world, mail)
  const there = mail.person.isGone ? 404 : 200
  const way = step.pick % 4
  if (way === 0) expect(await doors.ask(`/u/${token}`)).toBe(there)
  if (way === 1)
    for (let time = 0; time < (step.isDoubled ? 2 : 1); time++)
      expect(await doors.ask(`/u/${token}`, { method: 'POST', form: 'List-Unsubscribe=One-Click' })).toBe(
        there,
      )
  if (way === 2)
    expect(await doors.ask(`/u/${token}/preferences`, { method: 'POST', form: 'action=unsubscribe' })).toBe(
      there,
    )
  if (way === 3)
    expect(await doors.ask(`/u/${token}/preferences`, { method: 'POST', form: 'action=subscribe' })).toBe(
      there,
    )
  if (way === 1 || way === 2) books.leave(book, mail, now)
  if (way === 3) books.comeBack(book, mail, now)
}
