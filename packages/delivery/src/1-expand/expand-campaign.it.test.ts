import { createHash } from 'node:crypto'
import { campaignState } from '@emma/contract/campaign-states.ts'
import { keepFeed } from '@emma/core/content/feeds.ts'
import { createTestDatabase, type TestDatabase } from '@emma/db/test/database.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CampaignFault, type CampaignSnapshot, compileVariants } from '../model/campaign-snapshot.ts'
import { addCampaign, createTestTenant, type TestTenant } from '@emma/core/test/tenant.ts'
import { countLedger, testExpansion, validOf } from '../test/engine.ts'
import { expandCampaign, type ExpandSource } from './expand-campaign.ts'

let database: TestDatabase
let tenant: TestTenant

beforeEach(async () => {
  database = await createTestDatabase()
  tenant = await createTestTenant(
    database.db,
    Array.from({ length: 20 }, (_, n) => `Person.${n + 1}@gmx.test`),
  )
})
afterEach(() => database.drop())

describe('expandCampaign', () => {
  it('writes a row per member, and starts the campaign with its volume and snapshot', async () => {
    const campaign = await addCampaign(tenant)
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 20, skipped: 0 })
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ pending: 20 })
    const row = await tenant.db
      .selectFrom('campaign')
      .select(['valid', 'estimated_volume', 'combined_volume', 'progress_cur', 'snapshot', 'expanded_at'])
      .where('campagne_id', '=', campaign.campaignId)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({
      valid: campaignState.running,
      estimated_volume: 20,
      combined_volume: 20,
      progress_cur: 0,
      snapshot: { client: { name: 'Shop Größe' }, links: [{ index: 0 }, { index: 1 }] },
    })
    expect(JSON.stringify(row.snapshot)).not.toMatch(/PRIVATE KEY/)
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toBeNull()
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ pending: 20 })
  })

  it('sends a run of a recurring campaign to members who got no earlier one', async () => {
    const [first, second] = [await addCampaign(tenant), await addCampaign(tenant)]
    const { db, clientId, listId, messageId, domainId, mailclassId } = tenant
    const { recurring_id: recurringId } = await db
      .insertInto('recurring')
      .values({
        client_id: clientId,
        name: 'News',
        list_id: listId,
        message_id: messageId,
        domain_id: domainId,
        mailclass_id: mailclassId,
        fromadr: 'news@sender.test',
        schedule: '{}',
      })
      .returning('recurring_id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('campaign')
      .set({
        recurring_id: recurringId,
        run_audience: JSON.stringify({ date: null, unless_sent: { since: null } }),
      })
      .where('campagne_id', 'in', [first.campaignId, second.campaignId])
      .execute()
    expect(await expandCampaign(db, first, testExpansion)).toEqual({ volume: 20, skipped: 0 })
    await db
      .updateTable('delivery')
      .set({ state: 'rejected' })
      .where('campagne_id', '=', first.campaignId)
      .where('member_id', '<=', 5)
      .execute()
    expect(await expandCampaign(db, second, testExpansion)).toEqual({ volume: 5, skipped: 0 })
  })

  it('stores the first skip reason, in the order of the checks', async () => {
    const state = (id: number, change: string) => setMember(id, sql.raw(change))
    await state(1, 'dateunjoin = now(), hardbounced_at = now()')
    await state(2, 'hardbounced_at = now(), complained_at = now()')
    await state(3, "complained_at = now(), doi_state = 'pending'")
    await state(4, "doi_state = 'pending'")
    await state(5, "email = 'no address'")
    await state(6, "email = 'ok@-broken.test'")
    await tenant.db
      .insertInto('internal_blacklist_entry')
      .values([
        { value: 'person.7@gmx.test' },
        { value: 'person.8@gmx.test' },
        { value: 'banned.test', match: 'domain' },
      ])
      .execute()
    await tenant.db
      .insertInto('internal_blacklist_exclude')
      .values([
        { value: 'person.8@gmx.test', client_id: tenant.clientId },
        { value: 'person.7@gmx.test', client_id: await otherClient() },
      ])
      .execute()
    await state(9, "email = 'x@banned.test'")
    await addList('client', 'email', ['person.7@gmx.test', 'person.10@gmx.test'])
    await addList('client', 'sha256', [digest('sha256', 'person.11@gmx.test')])
    const attached = await addList('campaign', 'email', ['person.10@gmx.test', 'person.12@gmx.test'])
    const hashed = await addList('campaign', 'md5', [digest('md5', 'person.13@gmx.test')])
    await addList('campaign', 'email', ['person.14@gmx.test'])
    await addList('client', 'email', ['person.15@gmx.test'], '2020-01-01')
    const campaign = await addCampaign(tenant, { blacklist_ids: [attached, hashed] })
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 8, skipped: 12 })
    expect(await reasonsOf(campaign.campaignId)).toEqual({
      1: 'unsubscribed',
      2: 'hardbounce',
      3: 'complaint',
      4: 'doi_missing',
      5: 'invalid_address',
      6: 'invalid_domain',
      7: 'blacklist_internal',
      9: 'blacklist_internal',
      10: 'blacklist_client',
      11: 'blacklist_client',
      12: 'blacklist_campaign',
      13: 'blacklist_campaign',
    })
  })

  it('requires a confirmed opt-in if the datasource does', async () => {
    await tenant.db.updateTable('member_table').set({ doi_required: true }).execute()
    await setMember(1, sql`doi_state = 'confirmed'`)
    const campaign = await addCampaign(tenant)
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 1, skipped: 19 })
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ pending: 1, doi_missing: 19 })
  })

  it('omits members of excluded segments', async () => {
    const { list_id } = await tenant.db
      .insertInto('list')
      .values({ client_id: tenant.clientId, name: '<=5', member_table_id: tenant.memberTableId })
      .returning('list_id')
      .executeTakeFirstOrThrow()
    const campaign = await addCampaign(tenant, { exclude_list_ids: [list_id] })
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 15, skipped: 0 })
  })

  it('excludes members of a segment of another datasource by email address', async () => {
    const { member_table_id } = await tenant.db
      .insertInto('member_table')
      .values({ client_id: tenant.clientId, name: 'Newsletter' })
      .returning('member_table_id')
      .executeTakeFirstOrThrow()
    await sql`select create_member_table(${member_table_id})`.execute(tenant.db)
    await sql`insert into ${sql.id('members', `t${member_table_id}`)} (client_id, email)
      values (${tenant.clientId}, 'PERSON.7@gmx.test'), (${tenant.clientId}, 'stranger@gmx.test')`.execute(
      tenant.db,
    )
    const { list_id } = await tenant.db
      .insertInto('list')
      .values({ client_id: tenant.clientId, name: 'VIP', member_table_id })
      .returning('list_id')
      .executeTakeFirstOrThrow()
    const campaign = await addCampaign(tenant, { exclude_list_ids: [list_id] })
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 19, skipped: 0 })
    const rows = await tenant.db
      .selectFrom('delivery')
      .select('member_id')
      .where('member_id', '=', 7)
      .execute()
    expect(rows).toEqual([])
  })

  it('uses the datasource of the segment, which may have changed since', async () => {
    const { member_table_id } = await tenant.db
      .insertInto('member_table')
      .values({ client_id: tenant.clientId, name: 'Newsletter' })
      .returning('member_table_id')
      .executeTakeFirstOrThrow()
    await sql`select create_member_table(${member_table_id})`.execute(tenant.db)
    await sql`insert into ${sql.id('members', `t${member_table_id}`)} (client_id, email)
      values (${tenant.clientId}, 'moved@gmx.test')`.execute(tenant.db)
    const campaign = await addCampaign(tenant)
    await tenant.db.updateTable('list').set({ member_table_id }).execute()
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 1, skipped: 0 })
    const row = await tenant.db
      .selectFrom('campaign')
      .select(['member_table_id', 'snapshot'])
      .executeTakeFirst()
    expect(row).toMatchObject({
      member_table_id,
      snapshot: { columns: expect.not.arrayContaining(['firstname']) },
    })
  })

  it("adds a proof copy that is due at the campaign start, whatever the recipients' time zones", async () => {
    const proof = { client_id: tenant.clientId, addr_type: 'beleg' }
    await tenant.db
      .insertInto('test_address')
      .values([
        { ...proof, email: 'proof@web.test' },
        { ...proof, email: 'seed@web.test', addr_type: 'global_seed' },
        { ...proof, email: 'off@web.test', active: false },
      ])
      .execute()
    const campaign = await addCampaign(tenant, { local_time: true, startdate: '2040-01-01T09:00Z' })
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 20, skipped: 0 })
    const rows = await sql`
      select email, state, due_at <= now() as due from delivery
      where member_id < 0 order by member_id desc`.execute(tenant.db)
    expect(rows.rows).toEqual([
      { email: 'proof@web.test', state: 'pending', due: true },
      { email: 'seed@web.test', state: 'pending', due: false },
    ])
  })

  it('ignores suppressions and frequency caps for seeds', async () => {
    await tenant.db
      .insertInto('test_address')
      .values({ client_id: tenant.clientId, addr_type: 'global_seed', email: 'seed@web.test' })
      .execute()
    const { capping_id } = await addCapping()
    await addList('client', 'email', ['seed@web.test'])
    for (let n = 0; n < 2; n++) {
      const campaign = await addCampaign(tenant, { capping_id })
      await expandCampaign(tenant.db, campaign, testExpansion)
    }
    const seeds = await tenant.db.selectFrom('delivery').select('state').where('member_id', '<', 0).execute()
    expect(seeds).toEqual([{ state: 'pending' }, { state: 'pending' }])
  })

  it.each([
    ['failed', { valid: campaignState.failed }],
    ['stopped', { valid: campaignState.stopped }],
    ['archived', { valid: campaignState.archived }],
    ['deleted', { valid: campaignState.paused, deleted_at: '2026-11-01' }],
  ])('does not count messages that a campaign that was %s never sent', async (_, fields) => {
    const { capping_id } = await addCapping()
    await sql`insert into contact_frequency (client_id, address, period_hours)
      values (${tenant.clientId}, 'person.1@gmx.test', 168)`.execute(tenant.db)
    const first = await addCampaign(tenant)
    await expandCampaign(tenant.db, first, testExpansion)
    await tenant.db.updateTable('campaign').set(fields).where('campagne_id', '=', first.campaignId).execute()
    const second = await addCampaign(tenant, { capping_id })
    expect(await expandCampaign(tenant.db, second, testExpansion)).toEqual({ volume: 20, skipped: 0 })
  })

  it('keeps the synced blocks as they were at the start; a campaign that starts later has the new ones', async () => {
    const { db, clientId: client_id, messageId } = tenant
    const mjml = (text: string) =>
      JSON.stringify({ en: `<mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section>` })
    await db
      .insertInto('placeholder')
      .values({ client_id, name: 'Footer', token: 'footer', type: 'mjml', body: mjml('Old footer') })
      .execute()
    const body_mjml = `<mjml><mj-body>{{ module.footer }}<mj-section><mj-column><mj-text>
      <a href="{{ link.unsubscribe }}">x</a></mj-text></mj-column></mj-section></mj-body></mjml>`
    await db.updateTable('message').set({ body_mjml }).where('message_id', '=', messageId).execute()
    const htmlOf = async ({ campaignId }: { campaignId: number }) => {
      const { snapshot } = await db
        .selectFrom('campaign')
        .select('snapshot')
        .where('campagne_id', '=', campaignId)
        .executeTakeFirstOrThrow()
      const {
        content: { html },
      } = (await compileVariants(snapshot as unknown as CampaignSnapshot))[0]
      return html.filter(piece => typeof piece === 'string').join('')
    }
    const started = await addCampaign(tenant)
    await expandCampaign(db, started, testExpansion)
    await db
      .updateTable('placeholder')
      .set({ body: mjml('New footer') })
      .where('client_id', '=', client_id)
      .execute()
    const later = await addCampaign(tenant)
    await expandCampaign(db, later, testExpansion)
    expect(await htmlOf(started)).toContain('Old footer')
    expect(await htmlOf(started)).not.toContain('New footer')
    expect(await htmlOf(later)).toContain('New footer')
  })

  it('counts a category cap over campaigns whose templates have the same category', async () => {
    const { capping_id } = await addCapping('category_value')
    const ofCategory = async (category: string) => {
      const message = await tenant.db
        .insertInto('message')
        .columns(['client_id', 'name', 'subject', 'body_long', 'category'])
        .expression(query =>
          query
            .selectFrom('message')
            .select(['client_id', 'name', 'subject', 'body_long', sql.lit(category).as('category')])
            .where('message_id', '=', tenant.messageId),
        )
        .returning('message_id')
        .executeTakeFirstOrThrow()
      const campaign = await addCampaign(tenant, { capping_id, ...message })
      return expandCampaign(tenant.db, campaign, testExpansion)
    }
    expect(await ofCategory('Offers')).toEqual({ volume: 20, skipped: 0 })
    expect(await ofCategory('News')).toEqual({ volume: 20, skipped: 0 })
    expect(await ofCategory('Offers')).toEqual({ volume: 0, skipped: 20 })
  })

  it('adds active seeds with their negated id, but no address twice', async () => {
    const seed = { client_id: tenant.clientId, addr_type: 'global_seed' }
    await tenant.db
      .insertInto('test_address')
      .values([
        { ...seed, email: 'seed@web.test' },
        { ...seed, email: 'person.1@gmx.test' },
        { ...seed, email: 'off@web.test', active: false },
        { ...seed, email: 'test@web.test', addr_type: 'testaddr' },
      ])
      .execute()
    const campaign = await addCampaign(tenant)
    expect(await expandCampaign(tenant.db, campaign, testExpansion)).toEqual({ volume: 20, skipped: 0 })
    const seeds = await tenant.db
      .selectFrom('delivery')
      .select(['email', 'state', 'skip_reason'])
      .where('member_id', '<', 0)
      .orderBy('member_id', 'desc')
      .execute()
    expect(seeds).toEqual([
      { email: 'seed@web.test', state: 'pending', skip_reason: null },
      { email: 'person.1@gmx.test', state: 'skipped', skip_reason: 'duplicate' },
    ])
  })

  it('caps members who got enough messages within the window, or are about to', async () => {
    const { capping_id } = await addCapping()
    const first = await addCampaign(tenant)
    await expandCampaign(tenant.db, first, testExpansion)
    await sql`
      update delivery set state = 'sent', recorded_at = now() - case when member_id <= 4 then interval '2 hours'
          else interval '2 days' end
      where campagne_id = ${first.campaignId} and member_id <= 10`.execute(tenant.db)
    const second = await addCampaign(tenant, { capping_id })
    expect(await expandCampaign(tenant.db, second, testExpansion)).toEqual({ volume: 6, skipped: 14 })
    expect(await countLedger(tenant.db, second.campaignId)).toEqual({ pending: 6, capping: 14 })
    const free = await addCampaign(tenant)
    expect(await expandCampaign(tenant.db, free, testExpansion)).toEqual({ volume: 20, skipped: 0 })
  })

  it('skips members who are shown no counted section, as the campaign was started', async () => {
    const { db, clientId: client_id, memberTableId: member_table_id, messageId } = tenant
    await db
      .insertInto('member_table_column')
      .values({ client_id, member_table_id, column_name: 'firstname', label: 'Name', data_type: 'string' })
      .execute()
    const { body_long } = await db
      .selectFrom('message')
      .select('body_long')
      .where('message_id', '=', messageId)
      .executeTakeFirstOrThrow()
    const counted = `{% if member.firstname contains "Ann 1" %}<table>{% # counted %}<tr><td>x</td></tr></table>{% endif %}`
    const setBody = (body: string) =>
      db.updateTable('message').set({ body_long: body }).where('message_id', '=', messageId).execute()
    await setBody(`${body_long}${counted}`)
    await db
      .insertInto('test_address')
      .values({ client_id, addr_type: 'global_seed', email: 'seed@web.test' })
      .execute()
    await setMember(10, sql`dateunjoin = now()`)
    const campaign = await addCampaign(tenant)
    expect(await expandCampaign(db, campaign, testExpansion)).toEqual({ volume: 10, skipped: 10 })
    expect(await countLedger(db, campaign.campaignId)).toEqual({
      pending: 10,
      no_content: 9,
      unsubscribed: 1,
    })
    const seeds = await db.selectFrom('delivery').select('state').where('member_id', '<', 0).execute()
    expect(seeds).toEqual([{ state: 'pending' }])
    // What SQL does not decide, the delivery decides.
    await setBody(`${body_long}${counted.replace('contains "Ann 1"', '> "Ann 1"')}`)
    const late = await addCampaign(tenant)
    expect(await expandCampaign(db, late, testExpansion)).toEqual({ volume: 19, skipped: 1 })
  })

  it('rejects a campaign whose frequency cap was deleted, like the count before the start', async () => {
    const { capping_id } = await addCapping()
    const campaign = await addCampaign(tenant, { capping_id })
    await sql`update capping set deleted_at = now()`.execute(tenant.db)
    await expect(expandCampaign(tenant.db, campaign, testExpansion)).rejects.toMatchObject({
      code: 'not_found',
    })
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({})
  })

  it('sets the mailbox provider by domain', async () => {
    await setMember(1, sql`email = 'a@Gmail.test'`)
    await setMember(2, sql`email = 'a@unheard-of.test'`)
    const campaign = await addCampaign(tenant)
    await expandCampaign(tenant.db, campaign, testExpansion)
    const rows = await tenant.db
      .selectFrom('delivery')
      .innerJoin('provider', 'provider.provider_id', 'delivery.provider_id')
      .select(['member_id', 'provider.name'])
      .where('member_id', 'in', [1, 2, 3])
      .orderBy('member_id')
      .execute()
    expect(rows.map(row => row.name)).toEqual(['Gmail', 'other', 'GMX'])
  })

  it('rolls back if the campaign is stopped meanwhile', async () => {
    const campaign = await addCampaign(tenant)
    const stopping: ExpandSource = {
      ...testExpansion,
      async takeSnapshot(tx, key) {
        await database.db
          .updateTable('campaign')
          .set({ valid: campaignState.stopped })
          .where('campagne_id', '=', key.campaignId)
          .execute()
        return testExpansion.takeSnapshot(tx, key)
      },
    }
    expect(await expandCampaign(tenant.db, campaign, stopping)).toBeNull()
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({})
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(campaignState.stopped)
  })

  it('runs once if two engines try at the same time', async () => {
    const campaign = await addCampaign(tenant)
    const results = await Promise.all([
      expandCampaign(tenant.db, campaign, testExpansion),
      expandCampaign(tenant.db, campaign, testExpansion),
    ])
    expect(results.filter(result => result !== null)).toEqual([{ volume: 20, skipped: 0 }])
    expect(await countLedger(tenant.db, campaign.campaignId)).toEqual({ pending: 20 })
  })

  it('keeps the items of a feed with the snapshot, and sends nothing if there are none', async () => {
    const { db, clientId } = tenant
    const campaign = await addCampaign(tenant)
    const { module_id: moduleId } = await db
      .insertInto('placeholder')
      .values({
        client_id: clientId,
        name: 'News',
        token: 'news',
        type: 'feed',
        body: '{}',
        feed_url: 'https://news.test/',
        feed_only_new: true,
        feed_if_empty: 'skip',
      })
      .returning('module_id')
      .executeTakeFirstOrThrow()
    await sql`update message set body_long = body_long || '<div>{{ module.news }}</div>'
      where client_id = ${clientId}`.execute(db)
    const unread = expandCampaign(db, campaign, testExpansion)
    await expect(unread).rejects.toMatchObject({ fault: { code: 'campaign.feed_unreachable' } })
    const item = { key: '1', title: 'A boat', link: 'https://news.test/1', summary: '', image: '', date: '' }
    await keepFeed(db, { clientId, moduleId, type: 'feed', url: 'https://news.test/' }, { items: [item] })
    await expandCampaign(db, campaign, testExpansion)
    await keepFeed(
      db,
      { clientId, moduleId, type: 'feed', url: 'https://news.test/' },
      { items: [{ ...item, title: 'Changed' }] },
    )
    const { snapshot } = await db
      .selectFrom('campaign')
      .select('snapshot')
      .where('client_id', '=', clientId)
      .where('campagne_id', '=', campaign.campaignId)
      .executeTakeFirstOrThrow()
    const kept = snapshot as unknown as CampaignSnapshot
    expect(kept.links.map(link => link.url)).toContain('https://news.test/1')
    expect(JSON.stringify((await compileVariants(kept))[0].content.html)).toContain('A boat')
    const next = await addCampaign(tenant)
    await expect(expandCampaign(db, next, testExpansion)).rejects.toMatchObject({
      fault: { code: 'campaign.feed_empty_skip' },
    })
  })

  it('reports what a campaign lacks', async () => {
    const campaign = await addCampaign(tenant)
    await tenant.db.updateTable('message').set({ deleted_at: new Date().toISOString() }).execute()
    await expect(expandCampaign(tenant.db, campaign, testExpansion)).rejects.toThrow(CampaignFault)
    expect(await validOf(tenant.db, campaign.campaignId)).toBe(campaignState.preparing)
  })
})

async function setMember(id: number, change: ReturnType<typeof sql>): Promise<void> {
  const members = sql.id('members', `t${tenant.memberTableId}`)
  await sql`update ${members} set ${change} where member_id = ${id}`.execute(tenant.db)
}

function addCapping(scope = 'client'): Promise<{ capping_id: number }> {
  return tenant.db
    .insertInto('capping')
    .values({ client_id: tenant.clientId, name: 'One a day', max_mails: 1, period_hours: 24, scope })
    .returning('capping_id')
    .executeTakeFirstOrThrow()
}

async function otherClient(): Promise<number> {
  const { client_id } = await tenant.db
    .insertInto('client')
    .values({ name: 'Other' })
    .returning('client_id')
    .executeTakeFirstOrThrow()
  return client_id
}

async function addList(
  kind: string,
  match: 'email' | 'md5' | 'sha256',
  values: string[],
  expires: string | null = null,
): Promise<number> {
  const own = { client_id: tenant.clientId }
  const { blacklist_id } = await tenant.db
    .insertInto('blacklist')
    .values({ ...own, name: `${kind} ${match}`, kind, match })
    .returning('blacklist_id')
    .executeTakeFirstOrThrow()
  await tenant.db
    .insertInto('blacklist_entry')
    .values(values.map(value => ({ ...own, blacklist_id, value, expires_at: expires })))
    .execute()
  return blacklist_id
}

function digest(algorithm: string, text: string): string {
  return createHash(algorithm).update(text).digest('hex')
}

async function reasonsOf(campaignId: number): Promise<Record<number, string>> {
  const rows = await tenant.db
    .selectFrom('delivery')
    .select(['member_id', 'skip_reason'])
    .where('campagne_id', '=', campaignId)
    .where('skip_reason', 'is not', null)
    .orderBy('member_id')
    .execute()
  return Object.fromEntries(rows.map(row => [row.member_id, row.skip_reason ?? '']))
}
