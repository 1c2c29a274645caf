import { fault } from '@emma/contract/faults.ts'
import type { Db } from '@emma/db/connection.ts'
import { compileCampaign, type CompiledCampaign } from '../3-render/compile-campaign.ts'
import { type CampaignKey, keyOf } from '../model/campaign-key.ts'
import { CampaignFault } from '../model/campaign-snapshot.ts'
import { loadDkimKeys } from '../model/dkim-keys.ts'
import { readSnapshot } from './running-campaigns.ts'

/** Cache of compiled messages of running campaigns, each from the campaign's snapshot. */
export class CompiledCampaigns {
  readonly #compiled = new Map<string, Promise<CompiledCampaign>>()
  readonly #db: Db
  readonly #openSecret: (sealed: Buffer) => string

  constructor(db: Db, openSecret: (sealed: Buffer) => string) {
    this.#db = db
    this.#openSecret = openSecret
  }

  /** @throws CampaignFault when the campaign has no snapshot, or its domain no DKIM key; not cached */
  of(campaign: CampaignKey): Promise<CompiledCampaign> {
    const key = keyOf(campaign)
    const existing = this.#compiled.get(key)
    if (existing) return existing
    const created = this.#compile(campaign)
    this.#compiled.set(key, created)
    created.catch(() => this.#compiled.delete(key))
    return created
  }

  /** Drops entries of campaigns that do not run. */
  keepOnly(running: { has(key: string): boolean }): void {
    for (const key of this.#compiled.keys()) if (!running.has(key)) this.#compiled.delete(key)
  }

  async #compile(campaign: CampaignKey): Promise<CompiledCampaign> {
    const snapshot = await readSnapshot(this.#db, campaign)
    if (!snapshot) throw new CampaignFault(fault('campaign.not_prepared'))
    const keys = await loadDkimKeys(this.#db, campaign.clientId, snapshot.domain, this.#openSecret)
    if (keys.length === 0) throw new CampaignFault(fault('campaign.no_key', { domain: snapshot.domain.name }))
    return compileCampaign(snapshot, keys)
  }
}
