import { fault } from '@emma/contract/faults.ts'
import type { FileStorage } from '@emma/core/files/store-file.ts'
import type { Db } from '@emma/db/connection.ts'
import { AttachedBytes } from './attached-bytes.ts'
import { compileCampaign, type CompiledCampaign } from '../3-render/compile-campaign.ts'
import { type CampaignKey, keyOf } from '../model/campaign-key.ts'
import { CampaignFault } from '../model/campaign-snapshot.ts'
import { loadDkimKeys } from '../model/dkim-keys.ts'
import { sealedSources } from '../model/personal-source.ts'
import { readAttachments } from '../model/read-attachments.ts'
import { readSnapshot } from './running-campaigns.ts'

/**
 * Cache of compiled messages of running campaigns, each from the campaign's snapshot. If their attachments have no room,
 * those of campaigns that were not sent for longest are read again.
 */
export class CompiledCampaigns {
  readonly #compiled = new Map<string, Promise<CompiledCampaign>>()
  readonly #attached: AttachedBytes
  readonly #db: Db
  readonly #openSecret: (sealed: Buffer) => string
  readonly #files: Pick<FileStorage, 'get'> | undefined

  constructor(
    db: Db,
    openSecret: (sealed: Buffer) => string,
    files?: Pick<FileStorage, 'get'>,
    attached = new AttachedBytes(),
  ) {
    this.#attached = attached
    this.#db = db
    this.#openSecret = openSecret
    this.#files = files
  }

  /**
   * @throws CampaignFault when the campaign has no snapshot, a file that it attaches is gone, or its domain has no DKIM
   * key; not cached
   */
  of(campaign: CampaignKey): Promise<CompiledCampaign> {
    const key = keyOf(campaign)
    const existing = this.#compiled.get(key)
    if (existing) {
      this.#attached.use(key)
      return existing
    }
    const created = this.#compile(campaign)
    this.#compiled.set(key, created)
    created.then(
      campaign => {
        if (this.#compiled.get(key) !== created) return
        for (const dropped of this.#attached.add(key, attachedBytes(campaign))) this.#compiled.delete(dropped)
      },
      () => this.#compiled.delete(key),
    )
    return created
  }

  /** Drops entries of campaigns that do not run. */
  keepOnly(running: { has(key: string): boolean }): void {
    for (const key of this.#compiled.keys()) if (!running.has(key)) this.#drop(key)
  }

  #drop(key: string): void {
    this.#compiled.delete(key)
    this.#attached.remove(key)
  }

  async #compile(campaign: CampaignKey): Promise<CompiledCampaign> {
    const snapshot = await readSnapshot(this.#db, campaign)
    if (!snapshot) throw new CampaignFault(fault('campaign.not_prepared'))
    const keys = await loadDkimKeys(this.#db, campaign.clientId, snapshot.domain, this.#openSecret)
    if (keys.length === 0) throw new CampaignFault(fault('campaign.no_key', { domain: snapshot.domain.name }))
    const poolKeys = await Promise.all(
      (snapshot.pool ?? []).map(({ domain }) =>
        loadDkimKeys(this.#db, campaign.clientId, domain, this.#openSecret),
      ),
    )
    return compileCampaign(snapshot, keys, {
      poolKeys,
      attachments: await readAttachments(this.#files, snapshot),
      personalData: await sealedSources(this.#db, campaign.clientId, snapshot.personalData),
    })
  }
}

/** Bytes of encoded attachments, in all domains, languages and variants. */
function attachedBytes(campaign: CompiledCampaign): number {
  const further = campaign.domains.slice(1).filter(each => each !== null)
  const all = [campaign, ...further].flatMap(each => (each.variants.length > 0 ? each.variants : [each]))
  return all.reduce(
    (sum, { mail, languages }) => sum + (mail.attachments?.length ?? 0) * (1 + languages.size),
    0,
  )
}
