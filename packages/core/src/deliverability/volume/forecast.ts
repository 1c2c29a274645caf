import type { LimitKind } from '@emma/contract/actions/volume.ts'
import { ratePerSecond, secondsOf } from '../limits/token-bucket.ts'
import type { ForecastPlan, ForecastRate, ForecastRoute, ForecastWarmup } from './forecast-plan.ts'
import { shareRate } from './share-rate.ts'

/** What holds a provider's emails: a rate, a volume per day or window, or a time of waiting (null). */
export interface ForecastLimit {
  kind: LimitKind
  mails: number | null
  seconds: number | null
  mailclass: string | null
}

export interface Forecast {
  providers: {
    providerId: number
    count: number
    /** The limit that takes most of the time; null: none. */
    limit: ForecastLimit | null
    /** Null: not within the days of the plan. */
    seconds: number | null
  }[]
  /** Emails per day of the plan: of the domain, and of each route. */
  domainDays: number[]
  routeDays: number[][]
}

/** Work until the forecast gives up, in steps times mailbox providers: a tenth of a second. */
const MOST_WORK = 200_000

/** Rounding errors: of a step, as a part of it, and of a number of emails. */
const CLOSE = 1 - 1e-12
const NOTHING = 1e-6

/**
 * Forecasts a sending, by the order of the engine: the first route that is neither in quarantine nor at the end of its
 * warm-up day sends, as fast as its rates allow. Providers with limits get equal shares with groups of the others. Emails flow evenly, so the result is exact up to one email per limit.
 */
export function forecastSending(plan: ForecastPlan): Forecast {
  return new Simulation(plan).run()
}

interface Flow {
  providers: number[]
  remaining: number
  limits: readonly ForecastRate[]
  cap: number
}

interface OpenRoute {
  index: number
  /** Emails that its warm-up day allows. */
  left: number
}

interface ClosedRoute {
  limit: ForecastLimit
  until: number
}

class Simulation {
  readonly #plan: ForecastPlan
  readonly #remaining: number[]
  readonly #finished: (number | null)[]
  readonly #limits: Map<string, { limit: ForecastLimit; seconds: number }>[]
  readonly #domainDays: number[]
  readonly #routeDays: number[][]
  /** By route: the part of a claim that each provider belongs to. */
  readonly #parts: number[][]
  #now = 0
  #day = 0
  #window = { endsAt: Number.POSITIVE_INFINITY, used: 0 }

  constructor(plan: ForecastPlan) {
    this.#plan = plan
    this.#remaining = plan.counts.map(({ count }) => count)
    this.#finished = plan.counts.map(({ count }) => (count > 0 ? null : 0))
    this.#limits = plan.counts.map(() => new Map())
    this.#parts = plan.routes.map(route => partsOf(plan.counts, route))
    this.#domainDays = plan.days.map(() => 0)
    this.#routeDays = plan.routes.map(() => plan.days.map(() => 0))
  }

  run(): Forecast {
    const { counts, days } = this.#plan
    let work = 0
    while (this.#remaining.some(count => count > 0) && work < MOST_WORK) {
      while ((days[this.#day]?.ends ?? Number.POSITIVE_INFINITY) <= this.#now) this.#day++
      if (this.#day >= days.length) break
      this.#step()
      work += counts.length
    }
    return {
      providers: counts.map(({ providerId, count }, index) => ({
        providerId,
        count,
        limit: this.#mainLimit(index),
        seconds: this.#finished[index] ?? null,
      })),
      domainDays: this.#domainDays.map(Math.round),
      routeDays: this.#routeDays.map(row => row.map(Math.round)),
    }
  }

  #step(): void {
    const { ends = this.#now, quiet = [] } = this.#plan.days[this.#day] ?? {}
    const pause = quiet.find(({ from, to }) => from <= this.#now && this.#now < to)
    if (pause) return this.#wait(pause.to, waiting('quiet_hours'))
    const nextPause = Math.min(ends, ...quiet.map(({ from }) => from).filter(from => from > this.#now))
    const domain = this.#leftOfDay(this.#plan.warmup, this.#domainDays)
    if (domain.left < NOTHING) return this.#wait(nextPause, domain.limit)
    const window = this.#leftOfWindow()
    if (window.left < NOTHING) return this.#wait(Math.min(nextPause, this.#window.endsAt), window.limit)
    const open = this.#openRoute()
    if ('limit' in open) return this.#wait(Math.min(nextPause, open.until), open.limit)
    this.#send(
      open.index,
      Math.min(nextPause, this.#windowEnd()),
      Math.min(domain.left, window.left, open.left),
    )
  }

  /** The first open route, or what all wait for. */
  #openRoute(): OpenRoute | ClosedRoute {
    const states = this.#plan.routes.map((route, index): OpenRoute | ClosedRoute => {
      const day = this.#leftOfDay(route.warmup, this.#routeDays[index] ?? [])
      if (route.quarantinedUntil > this.#now)
        return { limit: waiting('quarantine', route.mailclass), until: route.quarantinedUntil }
      return day.left >= NOTHING
        ? { index, left: day.left }
        : { limit: day.limit, until: Number.POSITIVE_INFINITY }
    })
    const open = states.find(state => 'index' in state)
    if (open) return open
    const waits = states.filter(state => 'limit' in state)
    const until = Math.min(...waits.map(wait => wait.until))
    return { limit: waits[0]?.limit ?? waiting('quarantine'), until }
  }

  /**
   * Sends until a provider is finished, a volume is used up, or a time comes.
   * @param left emails that all volumes allow
   */
  #send(index: number, until: number, left: number): void {
    const route = this.#plan.routes[index]
    if (!route) return
    const { flows, backedOff } = this.#flows(index, route)
    const reopenings = [
      ...this.#plan.routes.map(one => one.quarantinedUntil),
      ...backedOff.map(one => one.until),
    ]
    const ends = Math.min(until, ...reopenings.filter(at => at > this.#now))
    const common = slowest([...this.#plan.rates, ...route.rates])
    const rates = shareRate(
      common ? ratePerSecond(common.rate) : Number.POSITIVE_INFINITY,
      flows.map(({ cap }) => cap),
    )
    const total = rates.reduce((sum, rate) => sum + rate, 0)
    if (total === Number.POSITIVE_INFINITY) return this.#sendAtOnce(index, flows, left)
    const longest = Math.min(ends - this.#now, total > 0 ? left / total : Number.POSITIVE_INFINITY)
    const seconds = flows.reduce<number>(
      (least, { remaining }, at) => Math.min(least, remaining / (rates[at] ?? 0)),
      longest,
    )
    if (total > 0) this.#useWindow()
    for (const [at, flow] of flows.entries()) {
      const rate = rates[at] ?? 0
      const limit = rate < flow.cap ? common : slowest(flow.limits)
      if (limit) this.#note(flow.providers, limitOf(limit), seconds)
      this.#take(flow, rate * seconds >= flow.remaining * CLOSE ? flow.remaining : rate * seconds, seconds)
    }
    for (const { provider } of backedOff)
      this.#note([provider], waiting('back_off', route.mailclass), seconds)
    this.#count(index, total * seconds >= left * CLOSE ? left : total * seconds)
    this.#now = seconds >= (ends - this.#now) * CLOSE ? ends : this.#now + seconds
  }

  /** Sends what nothing limits but the volumes, which are divided evenly. */
  #sendAtOnce(index: number, flows: readonly Flow[], left: number): void {
    this.#useWindow()
    const unlimited = flows.filter(({ cap }) => cap === Number.POSITIVE_INFINITY)
    const counts = shareRate(
      left,
      unlimited.map(({ remaining }) => remaining),
    )
    for (const [at, flow] of unlimited.entries()) {
      this.#take(flow, counts[at] ?? 0, 0)
      this.#count(index, counts[at] ?? 0)
    }
  }

  /** The parts of a claim that have emails left, and the providers that get none for now. */
  #flows(index: number, { backOffs, receivers }: ForecastRoute) {
    const flows = new Map<number, Flow>()
    const backedOff: { provider: number; until: number }[] = []
    for (const [provider, { providerId }] of this.#plan.counts.entries()) {
      const remaining = this.#remaining[provider] ?? 0
      if (remaining <= 0) continue
      const until = backOffs.get(providerId) ?? 0
      if (until > this.#now) {
        backedOff.push({ provider, until })
        continue
      }
      const part = this.#parts[index]?.[provider] ?? 0
      const flow = flows.get(part)
      if (flow) {
        flow.providers.push(provider)
        flow.remaining += remaining
      } else {
        const limits = receivers.get(providerId) ?? []
        flows.set(part, { providers: [provider], remaining, limits, cap: capOf(limits) })
      }
    }
    return { flows: [...flows.values()], backedOff }
  }

  /** Deducts emails of a flow after some seconds, by the share of each provider. */
  #take({ providers, remaining }: Flow, count: number, seconds: number): void {
    for (const provider of providers) {
      const left = (this.#remaining[provider] ?? 0) * (1 - Math.min(1, count / remaining))
      this.#remaining[provider] = left < NOTHING ? 0 : left
      if (left < NOTHING) this.#finished[provider] = this.#now + seconds
    }
  }

  #count(index: number, count: number): void {
    this.#window.used += count
    add(this.#domainDays, this.#day, count)
    add(this.#routeDays[index] ?? [], this.#day, count)
  }

  #leftOfDay(warmup: ForecastWarmup | null, used: readonly number[]) {
    const volume = warmup?.volumes[this.#day] ?? null
    if (warmup === null || volume === null)
      return { left: Number.POSITIVE_INFINITY, limit: waiting('warmup') }
    const before = this.#day === 0 ? warmup.sent : 0
    const kind = warmup === this.#plan.warmup ? 'domain_warmup' : 'warmup'
    const limit: ForecastLimit = { kind, mails: volume, seconds: 86_400, mailclass: warmup.mailclass }
    return { left: volume - before - (used[this.#day] ?? 0), limit }
  }

  #leftOfWindow() {
    const { window } = this.#plan
    if (!window) return { left: Number.POSITIVE_INFINITY, limit: waiting('window') }
    if (this.#now >= this.#window.endsAt) this.#window = { endsAt: Number.POSITIVE_INFINITY, used: 0 }
    const limit: ForecastLimit = {
      kind: 'window',
      mails: window.volume,
      seconds: window.seconds,
      mailclass: null,
    }
    return { left: window.volume - this.#window.used, limit }
  }

  /** A window begins with its first message. */
  #useWindow(): void {
    this.#window.endsAt = this.#windowEnd()
  }

  /** End of the current window, or of one that begins now. */
  #windowEnd(): number {
    const { window } = this.#plan
    return window ? Math.min(this.#window.endsAt, this.#now + window.seconds) : Number.POSITIVE_INFINITY
  }

  #wait(until: number, limit: ForecastLimit): void {
    const open = this.#remaining.flatMap((count, provider) => (count > 0 ? [provider] : []))
    this.#note(open, limit, until - this.#now)
    this.#now = until
  }

  #note(providers: readonly number[], limit: ForecastLimit, seconds: number): void {
    const key = `${limit.kind} ${limit.mailclass}`
    for (const provider of providers) {
      const own = this.#limits[provider]
      const known = own?.get(key)
      if (known) known.seconds += seconds
      else own?.set(key, { limit, seconds })
    }
  }

  #mainLimit(provider: number): ForecastLimit | null {
    const noted = [...(this.#limits[provider]?.values() ?? [])].filter(({ seconds }) => seconds > 0)
    return noted.toSorted((a, b) => b.seconds - a.seconds)[0]?.limit ?? null
  }
}

/**
 * The parts of a claim, which take turns: each provider with limits, and all providers between two of these, by id.
 * Back-offs count as limits.
 */
function partsOf(counts: ForecastPlan['counts'], { receivers, backOffs }: ForecastRoute): number[] {
  const apart = [...new Set([...receivers.keys(), ...backOffs.keys()])].toSorted((a, b) => a - b)
  return counts.map(({ providerId }) => {
    const before = apart.filter(id => id < providerId).length
    return 2 * before + (apart.includes(providerId) ? 1 : 0)
  })
}

function waiting(kind: LimitKind, mailclass: string | null = null): ForecastLimit {
  return { kind, mails: null, seconds: null, mailclass }
}

function limitOf({ kind, rate, mailclass }: ForecastRate): ForecastLimit {
  return { kind, mails: rate.mails, seconds: secondsOf(rate.unit), mailclass }
}

function slowest(limits: readonly ForecastRate[]): ForecastRate | null {
  return limits.toSorted((a, b) => ratePerSecond(a.rate) - ratePerSecond(b.rate))[0] ?? null
}

function capOf(limits: readonly ForecastRate[]): number {
  return Math.min(Number.POSITIVE_INFINITY, ...limits.map(({ rate }) => ratePerSecond(rate)))
}

function add(days: number[], day: number, count: number): void {
  days[day] = (days[day] ?? 0) + count
}
