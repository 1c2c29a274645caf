import type { ListQuery } from '@emma/client/list-query.ts'
import { defineResource } from '@emma/contract/define-resource.ts'
import { id, name } from '@emma/contract/fields.ts'
import { describe, expect, it } from 'vitest'
import { type SelectSource, lookUpQuery, pageQuery, resourceSource } from './select-source.ts'

const source: SelectSource<number> = {
  key: ['domain'],
  primaryKey: 'domain_id',
  query: {
    client_id: 7,
    doi_link: true,
    filters: [{ field: 'status', operator: 'eq', value: ['verified'] }],
  },
  load: async () => ({ data: [], total: 0 }),
}

describe('R267 R268 queries of a select', () => {
  it('requests 25 options per page', () => {
    expect(pageQuery(source, ' mail ', 50)).toEqual({
      client_id: 7,
      doi_link: true,
      filters: [{ field: 'status', operator: 'eq', value: ['verified'] }],
      searchterm: 'mail',
      skip: 50,
      limit: 25,
    })
  })

  it('looks up selected values by primary key, without the filters of the source', () => {
    expect(lookUpQuery(source, [57, 58])).toEqual({
      client_id: 7,
      filters: [{ field: 'domain_id', operator: 'in', value: [57, 58] }],
      searchterm: '',
      skip: 0,
      limit: 2,
    })
  })
})

describe('resourceSource', () => {
  const domain = defineResource({
    name: 'domain',
    area: 'deliverability',
    entity: 'EmmaDomain',
    key: 'domain_id',
    label: 'name',
    paths: ['/emma/domain/'],
    tenant: true,
    fields: { domain_id: id, name },
    readOnly: [],
    required: { create: ['name'] },
    filters: {},
    search: ['name'],
    sort: ['name'],
    included: {},
  })

  function recording() {
    const asked: ListQuery[] = []
    const record = {
      domain_id: 57,
      name: 'mail.example.com',
      created_at: '',
      updated_at: '',
      created_by: null,
      updated_by: null,
      revision: 1,
    }
    const made = resourceSource(
      {
        // oxlint-disable-next-line typescript/no-explicit-any -- the client's type depends on the resource
        list: async (_resource: unknown, query: ListQuery = {}): Promise<any> => {
          asked.push(query)
          return { data: [record], pagination: { limit: 25, offset: 0, total: 60 } }
        },
      },
      domain,
      { toOption: row => ({ label: row.name }), filters: { status: ['verified'] }, sort: { field: 'name' } },
    )
    return { asked, made }
  }

  it('converts the query to a list call and records to options', async () => {
    const { asked, made } = recording()
    const page = await made.load(pageQuery(made, 'ma', 25))
    expect(page).toEqual({ data: [{ value: 57, label: 'mail.example.com' }], total: 60 })
    expect(asked[0]).toMatchObject({
      filters: { status: ['verified'] },
      limit: 25,
      offset: 25,
      search: 'ma',
      sort: { field: 'name' },
    })
  })

  it('omits the filters of the source when looking up by key', async () => {
    const { asked, made } = recording()
    await made.load(lookUpQuery(made, [57]))
    expect(asked[0]?.filters).toEqual({ domain_id: [57] })
  })
})
