import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { split as splitField } from '@emma/contract/split.ts'
import { sql } from 'kysely'
import { addCampaign } from '@emma/core/test/tenant.ts'
import { insist, type KillLab, openKillLab } from './kill-lab.ts'

export interface KillTally {
  seed: number
  rounds: number
  kills: Record<Victim, number>
  campaigns: number
  recipients: number
  /** Duplicates. With resends on purpose: those beyond the attempts in the ledger. */
  doubled: number
  /** Recipients that the ledger has as sent or rejected, and the receiver never saw. */
  skipped: number
  /** Recipients without exactly one final state, or with a copy missing from the ledger. */
  lost: number
  /** Messages without the data of their recipient. */
  without_data: number
  /** Unknown rows of all campaigns that do not resend. */
  unknown: number
  /**
   * Maximum of unknown rows after one round, and rounds that left more than connections × depth of the dead engines.
   */
  unknown_max: number
  unbounded: number
  /** Rows resent on purpose that arrived twice. */
  copied: number
}

type Victim = 'engine' | 'sink' | 'database'
type Policy = 'leave' | 'resend'

interface Running {
  id: number
  /** First word of its From address, by which the receiver distinguishes campaigns. */
  name: string
  policy: Policy
}

const SPLIT = splitField.parse({ variants: [{ subject: 'Another one' }] })

const ENGINES = 2
const CONNECTIONS = 4

/**
 * Kills engines, receiver and database at random moments while two campaigns are sent, one that leaves unknown rows
 * and one that resends them, and compares the ledger with the receiver's own log. A quarter of the rounds kill two at
 * once. Each mail has data fetched for its recipient. A seed repeats which process is killed when; the effect also depends on the machine.
 * @param tell called with a progress line now and then
 * @throws if dead engines are not recovered, or a campaign not finished, within a minute
 */
export async function runKillRounds(
  { rounds, seed, members }: { rounds: number; seed: number; members: number },
  tell: (line: string) => void = () => {},
): Promise<KillTally> {
  const emails = Array.from({ length: members }, (_, n) => `${kindOf(n)}-${n}@web.test`)
  const lab = await openKillLab({ emails, connections: CONNECTIONS, pause: 8 })
  const random = randomFrom(seed)
  const tally: KillTally = {
    seed,
    rounds: 0,
    kills: { engine: 0, sink: 0, database: 0 },
    campaigns: 0,
    recipients: 0,
    doubled: 0,
    skipped: 0,
    lost: 0,
    without_data: 0,
    unknown: 0,
    unknown_max: 0,
    unbounded: 0,
    copied: 0,
  }
  const receiver = createReceiver(lab)
  try {
    await addPersonalData(lab)
    await Promise.all(Array.from({ length: ENGINES }, () => lab.startEngine()))
    const running = [await start('leave'), await start('resend')]
    let before = await countUnknown(lab)
    let spare = 0
    while (tally.rounds < rounds) {
      await sleep(30 + random() * 400)
      const bound = await kill()
      tally.rounds++
      await lab.settled()
      for (const [index, campaign] of running.entries()) {
        if (!(await isFinished(lab, campaign))) continue
        // Late outcomes of unknown messages are recorded within this time, and may reopen it.
        await sleep(400)
        if (!(await isFinished(lab, campaign))) continue
        await judge(campaign)
        running[index] = await start(campaign.policy)
      }
      const after = await countUnknown(lab)
      const left = after - before
      before = after
      tally.unknown_max = Math.max(tally.unknown_max, left)
      if (left > bound + spare) tally.unbounded++
      // Rows of a dead receiver become unknown a moment later: on a slow machine only in the next round.
      spare = Math.max(0, bound - Math.max(0, left))
      if (tally.rounds % 25 === 0) tell(JSON.stringify(tally))
    }
    for (const campaign of running) {
      await insist(() => isFinished(lab, campaign))
      await sleep(400)
      await insist(() => isFinished(lab, campaign))
      await judge(campaign)
    }
    tally.unknown = await countUnknown(lab)
    tally.doubled += receiver.lateCopies()
    tally.without_data = receiver.withoutData()
    return tally
  } finally {
    await lab.stop()
  }

  async function start(policy: Policy): Promise<Running> {
    const name = `c${++tally.campaigns}`
    let id = 0
    await insist(async () => {
      // Half of the campaigns are A/B tests.
      const split = tally.campaigns % 4 < 2 ? {} : { split: JSON.stringify(SPLIT) }
      const fields = { name, fromadr: `${name}@sender.test`, unknown_policy: policy, ...split }
      id = (await addCampaign(lab.tenant, fields)).campaignId
      return true
    })
    return { id, name, policy }
  }

  /** @returns the number of rows it may leave unknown */
  async function kill(): Promise<number> {
    const first = chooseVictim(random())
    const victims = random() < 0.25 ? [first, chooseVictim(random())] : [first]
    const signal = (['SIGKILL', 'SIGQUIT', 'SIGINT'] as const)[Math.floor(random() * 3)] ?? 'SIGKILL'
    const dead = victims
      .filter(victim => victim === 'engine')
      .flatMap((_, index): ChildProcess[] => lab.engines.slice(index, index + 1))
    await Promise.all([
      ...dead.map(engine => lab.killEngine(engine)),
      victims.includes('sink') ? lab.killSink() : null,
      victims.includes('database') ? lab.killDatabase(signal) : null,
    ])
    await Promise.all(dead.map(() => lab.startEngine()))
    for (const victim of victims) tally.kills[victim]++
    // A receiver or a database that dies affects what every engine has in flight.
    const others = victims.filter(victim => victim !== 'engine').length * ENGINES
    return lab.capacity * (dead.length + others)
  }

  async function judge({ id, name, policy }: Running): Promise<void> {
    const { rows } = await sql<{ email: string; state: string; attempts: number }>`
      select email, state, attempts from delivery where campagne_id = ${id}`.execute(lab.db)
    receiver.read()
    const copies = receiver.copiesOf(name)
    const existing = new Map(rows.map(row => [row.email, row]))
    tally.recipients += rows.length
    for (const email of emails) {
      const row = existing.get(email)
      const count = copies.get(email) ?? 0
      const isFinal = row !== undefined && ['sent', 'rejected', 'unknown'].includes(row.state)
      if (!isFinal || (row.state === 'rejected' && count > 0)) tally.lost++
      if (row?.state === 'sent' && count === 0) tally.skipped++
      if (row?.state === 'rejected' && !receiver.takeRefusal(email)) tally.skipped++
      const allowed = policy === 'resend' ? Math.max(1, row?.attempts ?? 1) : 1
      tally.doubled += Math.max(0, count - allowed)
      if (policy === 'resend') tally.copied += Math.max(0, count - 1)
    }
    if (rows.length !== emails.length) tally.lost += Math.abs(rows.length - emails.length)
    // New engines check campaigns that ended today, which would slow down each start.
    await sql`update campaign set finished_at = now() - interval '2 days' where campagne_id = ${id}`.execute(
      lab.db,
    )
    receiver.close(name)
  }
}

/** Events by the receiver's log, per campaign. */
function createReceiver(lab: KillLab) {
  const copies = new Map<string, Map<string, number>>()
  const refusals = new Map<string, number>()
  const closed = new Set<string>()
  let late = 0
  let without = 0
  const read = () => {
    for (const { from, to, what } of lab.readLog()) {
      if (what === 'refused') refusals.set(to, (refusals.get(to) ?? 0) + 1)
      if (what === 'without') without++
      if (what !== 'accepted') continue
      if (closed.has(from)) late++
      const own = copies.get(from) ?? new Map<string, number>()
      copies.set(from, own.set(to, (own.get(to) ?? 0) + 1))
    }
  }
  return {
    read,
    copiesOf: (name: string) => copies.get(name) ?? new Map<string, number>(),
    /** Each rejection counts for one row only. */
    takeRefusal(email: string): boolean {
      const left = refusals.get(email) ?? 0
      refusals.set(email, left - 1)
      return left > 0
    },
    /** The campaign has ended: later messages are duplicates. */
    close(name: string) {
      closed.add(name)
      copies.delete(name)
    },
    withoutData: () => without,
    lateCopies() {
      read()
      return late
    },
  }
}

/** Every mail shows data that the engine fetches for its recipient just before. */
async function addPersonalData({ db, tenant }: KillLab): Promise<void> {
  await db
    .insertInto('placeholder')
    .values({
      client_id: tenant.clientId,
      name: 'Code',
      token: 'code',
      type: 'data',
      body: '{}',
      feed_scope: 'member',
      feed_if_empty: 'skip',
      feed_url: 'https://shop.test/?of={{ member.member_id }}',
    })
    .execute()
  await sql`
    update message set body_long = ${'<p>Code {{ data.code.own }}</p>'} || body_long
    where client_id = ${tenant.clientId}`.execute(db)
}

/** Ends the waiting time of its A/B test, if the sample has been sent. */
async function isFinished(lab: KillLab, { id }: Running): Promise<boolean> {
  await sql`
    update campaign set split_sampled_at = split_sampled_at - interval '1 day'
    where campagne_id = ${id} and split_waits and split_sampled_at > now() - interval '1 day'`.execute(lab.db)
  const { valid } = await lab.db
    .selectFrom('campaign')
    .select('valid')
    .where('campagne_id', '=', id)
    .executeTakeFirstOrThrow()
  return valid === campaignState.finished
}

async function countUnknown(lab: KillLab): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from delivery d join campaign c using (client_id, campagne_id)
    where d.state = 'unknown' and c.unknown_policy = 'leave'`.execute(lab.db)
  return rows[0]?.count ?? 0
}

function kindOf(n: number): string {
  if (n % 50 === 0) return 'bounce'
  return n % 50 === 25 ? 'later' : 'ok'
}

function chooseVictim(chance: number): Victim {
  if (chance < 0.55) return 'engine'
  return chance < 0.8 ? 'sink' : 'database'
}

/** Pseudo-random numbers from 0 to 1 by seed (a 32-bit linear congruential generator). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
