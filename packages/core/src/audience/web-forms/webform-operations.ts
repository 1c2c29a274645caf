import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { EmmaError, type FieldError, fieldError, invalid } from '@emma/contract/errors.ts'
import type { Row } from '@emma/contract/resource-schemas.ts'
import { formProcesses } from '@emma/contract/resources/pmt.ts'
import { webform, type WebformField } from '@emma/contract/resources/webform.ts'
import { type Db, transaction } from '@emma/db/connection.ts'
import { sql } from 'kysely'
import { type Actor, ownClient, type TenantScope } from '../../resource/actor.ts'
import type { Operations } from '../../resource/operations.ts'
import { resourceOperations } from '../../resource/resource-operations.ts'
import { type Datasource, readDatasource } from '../datasources/datasource.ts'
import { valueReader } from '../members/member-values.ts'
import { recentFigures } from './webform-figures.ts'

type Form = Row<typeof webform>
type Stored = Omit<Form, 'url' | 'views' | 'starts' | 'submissions' | 'confirmed'>

const standard = resourceOperations(webform, {
  table: 'webform',
  json: ['fields', 'texts', 'consent', 'style'],
  added: ['url', 'views', 'starts', 'submissions', 'confirmed'],
  refersTo: {
    member_table_id: { table: 'member_table', key: 'member_table_id' },
    domain_id: { table: 'domain', key: 'domain_id' },
  },
})

/**
 * CRUD operations of web forms (R237). Fields that are not in the datasource are rejected. Each consent text is stored
 * under its version, as submissions refer to it.
 */
export function webformOperations(trackingUrl: string): Operations<typeof webform> {
  async function complete(db: Db, forms: Stored[]): Promise<Form[]> {
    if (forms.length === 0) return []
    const ids = forms.map(form => form.webform_id)
    const clients = [...new Set(forms.map(form => form.client_id))]
    const [figures, bases] = await Promise.all([
      recentFigures(db, clients, ids),
      trackingHosts(
        db,
        clients,
        forms.map(form => form.domain_id),
      ),
    ])
    return forms.map(form => ({
      ...form,
      url: `${bases.get(form.domain_id) ?? trackingUrl}/f/${form.hash}`,
      ...(figures.get(form.webform_id) ?? noFigures),
    }))
  }

  async function completeOne(db: Db, stored: Stored): Promise<Form> {
    const [form] = await complete(db, [stored])
    if (!form) throw new EmmaError('not_found')
    return form
  }

  return {
    ...standard,
    async list(db, actor, scope, query) {
      const page = await standard.list(db, actor, scope, query)
      return { ...page, data: await complete(db, page.data) }
    },
    async find(db, actor, scope, id) {
      return completeOne(db, await standard.find(db, actor, scope, id))
    },
    create(db, actor, clientId, input) {
      return transaction(db, async tx => {
        const client = ownClient(actor, clientId ?? input.client_id)
        const consent_version = hasText(input.consent ?? {}) ? 1 : 0
        const columns = { hash: newHash(client), consent_version }
        const form = await standard.create(tx, actor, clientId, input, columns)
        await assertFields(tx, form)
        await assertProcessMails(tx, form, [])
        await keepConsent(tx, form)
        return completeOne(tx, form)
      })
    },
    patch(db, actor, scope, id, input, options) {
      return transaction(db, async tx => {
        const before = await findLocked(tx, actor, scope, id)
        const consent = input.consent ?? (options.whole ? {} : before.consent)
        const isChanged = !isDeepStrictEqual(consent, before.consent)
        const form = await standard.patch(tx, actor, scope, id, input, options, {
          consent_version: before.consent_version + (isChanged ? 1 : 0),
        })
        await assertFields(tx, form)
        await assertProcessMails(tx, form, before.pmt_ids)
        if (isChanged) await keepConsent(tx, form)
        return completeOne(tx, form)
      })
    },
  }
}

/** Locks the form, so that two changes at once of its consent get a version each. */
async function findLocked(tx: Db, actor: Actor, scope: TenantScope, id: number): Promise<Stored> {
  const { client_id } = await standard.find(tx, actor, scope, id)
  await sql`select from webform where client_id = ${client_id} and webform_id = ${id} for update`.execute(tx)
  return standard.find(tx, actor, scope, id)
}

const noFigures = { views: 0, starts: 0, submissions: 0, confirmed: 0 }

/** The client's id, so that a lookup names the client, and 128 random bits. */
function newHash(clientId: number): string {
  return `${clientId.toString(36)}-${randomBytes(16).toString('base64url')}`
}

function hasText(consent: Form['consent']): boolean {
  return Object.values(consent).some(text => text?.trim())
}

async function keepConsent(
  tx: Db,
  { client_id, webform_id, consent_version, consent }: Stored,
): Promise<void> {
  if (consent_version === 0) return
  await tx
    .insertInto('webform_consent')
    .values({ client_id, webform_id, version: consent_version, consent: JSON.stringify(consent) })
    .execute()
}

async function assertFields(tx: Db, { client_id, member_table_id, fields }: Stored): Promise<void> {
  const source = await readDatasource(tx, { clientIds: [client_id] }, member_table_id)
  const faults = faultsOfFields(fields, source)
  if (faults.length > 0) throw invalid(faults)
}

/** A form has the address, columns of its datasource once each, and defaults that fit them. */
function faultsOfFields(fields: readonly WebformField[], source: Datasource): FieldError[] {
  const columns = new Map(source.columns.map(column => [column.column_name, column]))
  const seen = new Set<string>()
  return [
    ...fields.flatMap(({ column: name, default: value }): FieldError[] => {
      const column = columns.get(name)
      if (!column || (column.is_fixed && name !== 'email'))
        return [fieldError('fields', 'field.column_missing', { column: name })]
      if (seen.has(name)) return [fieldError('fields', 'field.column_twice', { column: name })]
      seen.add(name)
      const read = value === null || value.trim() === '' ? '' : valueReader(column)(value)
      if (typeof read === 'object' && read !== null)
        return [fieldError('fields', 'field.form_default', { column: name, fault: read })]
      return []
    }),
    ...source.columns
      .filter(column => !column.nullable && !column.is_fixed && !seen.has(column.column_name))
      .map(({ column_name: column }) => fieldError('fields', 'field.form_column', { column })),
    ...(fields.some(isAddressField) ? [] : [fieldError('fields', 'field.form_email')]),
  ]
}

/**
 * A form chooses one text of its client per process and language. Texts that it had `before` may have been deleted, or
 * have got another process, meanwhile: then they have no effect.
 */
async function assertProcessMails(
  tx: Db,
  { client_id, pmt_ids }: Stored,
  before: readonly number[],
): Promise<void> {
  const added = new Set(pmt_ids.filter(id => !before.includes(id)))
  if (added.size === 0) return
  const texts = await tx
    .selectFrom('pmt')
    .select(['pmt_id', 'name', 'process', 'lang'])
    .where('client_id', '=', client_id)
    .where('pmt_id', 'in', pmt_ids)
    .where('deleted_at', 'is', null)
    .orderBy('pmt_id')
    .execute()
  const known = new Set(texts.map(({ pmt_id }) => pmt_id))
  const places = new Set<string>()
  const faults = texts.flatMap(({ name, process, lang }): FieldError[] => {
    if (!formProcesses.some(possible => possible === process))
      return [fieldError('pmt_ids', 'field.form_process', { name })]
    if (places.has(`${process} ${lang}`)) return [fieldError('pmt_ids', 'field.form_process_twice', { name })]
    places.add(`${process} ${lang}`)
    return []
  })
  if ([...added].some(id => !known.has(id))) faults.push(fieldError('pmt_ids', 'field.not_there'))
  if (faults.length > 0) throw invalid(faults)
}

function isAddressField({ column, hidden, default: value }: WebformField): boolean {
  return column === 'email' && !hidden && !value
}

/** Tracking hosts that are verified, by domain; names under `.test` are resolved by the testbed alone. */
async function trackingHosts(
  db: Db,
  clientIds: readonly number[],
  domainIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('domain')
    .select(['domain_id', 'tracking_host'])
    .where('client_id', 'in', clientIds)
    .where('domain_id', 'in', domainIds)
    .where('cname_ok', '=', true)
    .where('tracking_host', 'is not', null)
    .where('tracking_host', 'not like', '%.test')
    .execute()
  return new Map(rows.map(row => [row.domain_id, `https://${row.tracking_host}`]))
}
