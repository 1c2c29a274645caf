import { createPool } from '@emma/mail/smtp/pool.ts'
import PostalMime from 'postal-mime'
import { AGENTS } from './agents.ts'
import { buildComplaint, complaintAddress } from './build-complaint.ts'
import { buildDeliveryReport } from './build-delivery-report.ts'
import { draw } from './choose-fate.ts'
import { domainOf, type FindProvider } from './find-provider.ts'
import { buildUnsubscribeMail, readUnsubscribeWays } from './list-unsubscribe.ts'
import { type MailLinks, readMailLinks } from './mail-links.ts'
import { headerBlock } from './message-summary.ts'
import type { DueReaction, ReactingMail, ReactionQueue } from './reaction-queue.ts'
import { type ResolveOrigin, visit } from './visit.ts'

/** Inbound server of the installation, which gets the messages of the testbed's servers. */
export interface InboundServer {
  host: string
  port: number
}

export interface PerformerOptions {
  queue: ReactionQueue
  findProvider: FindProvider
  seed: string
  inbound: InboundServer | null
  /** Default complaint address; null: fbl@ at the domain of the return path. */
  complaintAddress: string | null
  resolveOrigin: ResolveOrigin
  /** Resolves when the next message may be read, or the next request made; false when stopping. */
  pace: () => Promise<boolean>
  now: () => number
}

export interface Performer {
  /** Performs one reaction and records its result. */
  perform: (reaction: DueReaction) => Promise<void>
  close: () => Promise<void>
}

/**
 * Performs reactions. Visits are removed from the queue before the first request, so none happens twice; messages of
 * servers stay queued until they are accepted, so none is lost.
 */
export function createPerformer(options: PerformerOptions): Performer {
  const { queue, inbound, resolveOrigin } = options
  const pool = inbound
    ? createPool({
        ...inbound,
        name: 'mx.testbed.test',
        tls: 'opportunistic',
        connections: 2,
        timeouts: TIMEOUTS,
      })
    : null

  return { perform, close: async () => pool?.close() }

  async function perform(reaction: DueReaction): Promise<void> {
    // Parsing a message costs more than requesting an image, so it is limited too.
    if (!(await options.pace())) return
    const mail = queue.mailOf(reaction.storedId)
    if (!mail) return queue.remove(reaction)
    switch (reaction.kind) {
      case 'open':
        return loadPictures(reaction, mail)
      case 'click':
        return followOne(reaction, mail)
      case 'scan':
        return followAll(reaction, mail)
      case 'unsubscribe-post':
        return postUnsubscribe(reaction, mail)
      case 'unsubscribe-mail':
        return mailUnsubscribe(reaction, mail)
      case 'complaint':
        return complain(reaction, mail)
      case 'dsn':
        return reportFailure(reaction, mail)
    }
  }

  async function loadPictures(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    await queue.remove(reaction)
    const { images } = await linksOf(mail)
    // A message may have any number of images; the pixel is first or last.
    const wanted = await visitable(images)
    const loaded = wanted.length <= 20 ? wanted : [...wanted.slice(0, 10), ...wanted.slice(-10)]
    for (const address of loaded) await request(reaction, mail, address, 'GET')
  }

  async function followOne(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    await queue.remove(reaction)
    const { links } = await linksOf(mail)
    const inviting = await visitable(links.filter(address => !LEAVING.test(address)))
    const link = inviting[Math.floor(draw(mail.recipient, options.seed, 'link') * inviting.length)]
    if (link) await request(reaction, mail, link, 'GET')
  }

  async function followAll(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    await queue.remove(reaction)
    const { links } = await linksOf(mail)
    const method = reaction.agent === 'barracuda-scanner' ? 'HEAD' : 'GET'
    for (const address of (await visitable(links)).slice(0, 40))
      await request(reaction, mail, address, method)
  }

  async function postUnsubscribe(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    const ways = readUnsubscribeWays(mail.raw)
    if (ways.oneClick === null && ways.mailto) return queue.change(reaction, 'unsubscribe-mail')
    await queue.remove(reaction)
    if (ways.oneClick === null) return
    for (const address of await visitable([ways.oneClick])) await request(reaction, mail, address, 'POST')
  }

  async function mailUnsubscribe(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    const ways = readUnsubscribeWays(mail.raw)
    if (ways.mailto) {
      const source = buildUnsubscribeMail(mail.recipient, ways.mailto, new Date(options.now()))
      return post(reaction, mail, { from: mail.recipient, to: ways.mailto.to }, source)
    }
    if (ways.oneClick !== null) return queue.change(reaction, 'unsubscribe-post')
    return queue.remove(reaction)
  }

  async function complain(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    const provider = options.findProvider(domainOf(mail.recipient))
    const to = complaintAddress(mail.raw, mail.sender, options.complaintAddress)
    if (!provider || to === null) return queue.remove(reaction)
    const source = buildComplaint({ ...reportOf(mail), provider, to })
    return post(reaction, mail, { from: '', to }, source)
  }

  async function reportFailure(reaction: DueReaction, mail: ReactingMail): Promise<void> {
    const provider = options.findProvider(domainOf(mail.recipient))
    // A message without return path must not be answered (RFC 5321, 6.1).
    if (!provider || mail.sender === '') return queue.remove(reaction)
    const source = buildDeliveryReport({ ...reportOf(mail), provider, seed: options.seed })
    return post(reaction, mail, { from: '', to: mail.sender }, source)
  }

  function reportOf(mail: ReactingMail) {
    const { recipient, sender: returnPath, raw: original, receivedAt } = mail
    return { recipient, returnPath, original, receivedAt, now: new Date(options.now()) }
  }

  /** URLs outside the testbed are never visited or recorded. */
  async function visitable(addresses: readonly string[]): Promise<string[]> {
    const origins = await Promise.all(addresses.map(async address => resolveOrigin(new URL(address))))
    return addresses.filter((_address, index) => origins[index] !== null)
  }

  async function request(
    reaction: DueReaction,
    mail: ReactingMail,
    address: string,
    method: 'GET' | 'HEAD' | 'POST',
  ): Promise<void> {
    const { kind, agent, storedId } = reaction
    if (!(await options.pace())) return
    const started = { kind, agent, target: address, status: null, detail: '' }
    const eventId = await queue.record(mail, storedId, started)
    const form = method === 'POST' ? { form: 'List-Unsubscribe=One-Click' } : {}
    const result = await visit(address, {
      method,
      agent: AGENTS[agent],
      mailbox: mail.recipient,
      resolveOrigin,
      ...form,
    })
    await queue.complete(eventId, result.status, result.detail)
  }

  /** Sends a message to the inbound server; deferred ones are retried, as by any server. */
  async function post(
    reaction: DueReaction,
    mail: ReactingMail,
    envelope: { from: string; to: string },
    source: Buffer,
  ): Promise<void> {
    const { kind, agent, storedId } = reaction
    const finish = async (status: number, detail: string) => {
      await queue.record(mail, storedId, { kind, agent, target: envelope.to, status, detail }, reaction)
    }
    if (!pool) return finish(0, 'not sent: no inbound server is set up')
    const smtpUtf8 = headerBlock(source).some(octet => octet > 0x7f)
    const outcome = await pool.send({ ...envelope, smtpUtf8 }, [source])
    const isFinal = outcome.outcome === 'sent' || outcome.outcome === 'rejected'
    if (isFinal || reaction.attempts >= MOST_ATTEMPTS) return finish(outcome.code ?? 0, outcome.text)
    return queue.postpone(reaction, Math.min(60_000, 500 * 2 ** reaction.attempts))
  }
}

/** Unsubscribe links and similar, which readers do not click. */
const LEAVING = /unsub|abmeld|optout|opt-out|preferences|\/u\//i
/** About a quarter of an hour in total. */
const MOST_ATTEMPTS = 20
const TIMEOUTS = { connect: 5000, greeting: 10_000, command: 10_000, data: 30_000 }

/** Larger messages are not read, because parsing them would delay arriving ones. */
const MOST_READ = 2 * 1024 * 1024

async function linksOf(mail: ReactingMail): Promise<MailLinks> {
  if (mail.raw.length > MOST_READ) return { images: [], links: [] }
  const parsed = await PostalMime.parse(mail.raw)
  return readMailLinks(parsed.html ?? '')
}
