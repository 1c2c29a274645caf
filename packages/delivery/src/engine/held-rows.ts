import { type Kind, kindOf } from '../model/kind.ts'
import type { RunningCampaign } from './running-campaigns.ts'

/** Number of rows claimed and not settled, by kind and client. */
export class HeldRows {
  readonly #rows = { transactional: new Map<number, number>(), bulk: new Map<number, number>() }

  of(kind: Kind): ReadonlyMap<number, number> {
    return this.#rows[kind]
  }

  add(campaign: RunningCampaign, count: number): void {
    const rows = this.#rows[kindOf(campaign)]
    rows.set(campaign.clientId, (rows.get(campaign.clientId) ?? 0) + count)
  }
}
