import { graduatedPrice } from '@emma/contract/price-tiers.ts'
import type { DemoDoiReport, DemoSendVolume, DemoTransactionalReport } from '../demo-records.ts'
import { dayOf, daysBack } from './random.ts'
import type { Seeding } from './seeding.ts'

/** Number of days with figures. */
const days = 31

/** Figures of transactional messages by day, today first. */
export function seedTransactionalReports({ random, now }: Seeding): DemoTransactionalReport[] {
  return Array.from({ length: days }, (_, back) => {
    const send = random.between(1800, 2600)
    const [hard, soft, other] = [random.between(2, 8), random.between(3, 12), random.between(0, 3)]
    const delivered = send - hard - soft - other
    return {
      date: dayOf(daysBack(now, back)),
      nb_send: send,
      nb_delivered: delivered,
      nb_open: Math.round(delivered * random.share(0.55, 0.7)),
      nb_click: Math.round(delivered * random.share(0.2, 0.3)),
      nb_hardbounce: hard,
      nb_softbounce: soft,
      nb_otherbounce: other,
      nb_unsubscribe: 0,
      nb_complaint: random.between(0, 1),
      nb_preblock: random.between(0, 5),
    }
  })
}

/** Figures of double opt-in by day (R312): 200 to 250 requests, 160 to 180 confirmations and imports. */
export function seedDoiReports({ random, now }: Seeding): DemoDoiReport[] {
  return Array.from({ length: days }, (_, back) => {
    const entries = random.between(200, 250)
    const imports = random.between(160, 180)
    return {
      date: dayOf(daysBack(now, back)),
      entries,
      imports,
      requested: entries,
      sent: entries,
      confirmed: imports,
      expired: entries - imports,
      rate: Math.round((imports / entries) * 1000) / 10,
    }
  })
}

/** Twelve months with 100,000 to 400,000 messages (R312), the current one first. */
export function seedSendVolumes({ random, now }: Seeding): DemoSendVolume[] {
  return Array.from({ length: 12 }, (_, back) => {
    const total = random.between(100_000, 400_000)
    const transactional = Math.round(total * random.share(0.08, 0.12))
    const recurring = Math.round(total * random.share(0.05, 0.1))
    const monthOf = (ago: number) => new Date(now.getFullYear(), now.getMonth() - ago, 1)
    const closed = new Date(Number(monthOf(back - 1)) + 3 * 86_400_000)
    return {
      invoice_month: dayOf(monthOf(back)).slice(0, 7),
      campaign: total - transactional - recurring,
      recurring,
      transactional,
      test: random.between(20, 90),
      total,
      limit: 400_000,
      price: (graduatedPrice(total, priceTiers) ?? 0) / 100,
      currency: 'EUR',
      price_tiers: priceTiers,
      timezone: 'Europe/Berlin',
      closed_at: closed < now ? closed.toISOString() : null,
    }
  })
}

const priceTiers = [
  { from: 0, price_per_thousand: 0.9 },
  { from: 100_000, price_per_thousand: 0.75 },
  { from: 250_000, price_per_thousand: 0.6 },
]
