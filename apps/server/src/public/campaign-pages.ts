import type { Sql } from '@emma/db/connection.ts'
import { type CampaignSnapshot, campaignFields, compileSnapshot } from '@emma/delivery/campaign-snapshot.ts'
import { LinkError, resolveLink } from '@emma/mail/links/resolve-link.ts'
import { type MergeData, renderSegments } from '@emma/mail/segments.ts'
import type { Token } from '@emma/mail/token.ts'
import { sql as raw } from 'kysely'

/** Snapshots are the same for ever, so they are kept; a few hundred campaigns get hits at a time. */
const mostKept = 300

/** What the public pages need of campaigns: where links lead, and the mail as a page. */
export interface CampaignPages {
  /** Where a click leads; null when there is no such link, or it leads nowhere for this person. */
  linkTarget(token: Token, text: string, index: number): Promise<string | null>
  /** The mail as a web page; null when there is none. */
  browserView(token: Token, text: string): Promise<string | null>
  find(token: Token): Promise<CampaignSnapshot | null>
}

export function createCampaignPages(sql: Sql): CampaignPages {
  const kept = new Map<string, CampaignSnapshot>()

  async function find({ clientId, campaignId }: Token): Promise<CampaignSnapshot | null> {
    const name = `${clientId}.${campaignId}`
    const known = kept.get(name)
    if (known) return known
    const found = await raw<{ snapshot: CampaignSnapshot | null }>`
      select snapshot from campaign where client_id = ${clientId} and campagne_id = ${campaignId}`.execute(
      sql,
    )
    const snapshot = found.rows[0]?.snapshot ?? null
    if (!snapshot) return null
    if (kept.size >= mostKept) kept.clear()
    kept.set(name, snapshot)
    return snapshot
  }

  async function dataFor(snapshot: CampaignSnapshot, token: Token, text: string): Promise<MergeData> {
    const { memberTableId } = snapshot
    const found =
      memberTableId === null || token.memberId <= 0
        ? null
        : await raw<Record<string, unknown>>`
            select * from ${raw.table(`members.t${memberTableId}`)}
            where client_id = ${token.clientId} and member_id = ${token.memberId}`.execute(sql)
    return {
      member: found?.rows[0] ?? {},
      campaign: campaignFields(snapshot),
      client: { ...snapshot.client },
      token: text,
    }
  }

  return {
    find,
    async linkTarget(token, text, index) {
      const snapshot = await find(token)
      const link = snapshot?.links.find(each => each.index === index)
      if (!snapshot || !link) return null
      try {
        const needsMember = link.url.includes('{')
        const data = needsMember ? await dataFor(snapshot, token, text) : nobody
        return resolveLink(link.url, data)
      } catch (error) {
        if (error instanceof LinkError) return null
        throw error
      }
    },
    async browserView(token, text) {
      const snapshot = await find(token)
      if (!snapshot) return null
      const { html, text: plain } = await compileSnapshot(snapshot)
      const data = await dataFor(snapshot, token, text)
      return html.length > 0
        ? renderSegments(html, data)
        : `<pre>${escapeHtml(renderSegments(plain, data))}</pre>`
    },
  }
}

const nobody: MergeData = { member: {}, campaign: {}, client: {}, token: '' }

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
