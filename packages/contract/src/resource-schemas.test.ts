import { expect, test } from 'vitest'
import { resources } from './resource-list.ts'
import { createSchema, initialValues, patchSchema, writableFields } from './resource-schemas.ts'
import { mailclass } from './resources/mailclass.ts'

test('a form begins with the defaults, and with nothing of its kind where there is none', () => {
  const values = initialValues(mailclass)
  expect(values).toMatchObject({ type: 'bulk', max_connections: 10, login_ids: [], active: true })
  expect(values).toMatchObject({ name: '', smtp_port: null, warmup_start: null })
  expect(values).not.toHaveProperty('mailclass_id')
  expect(values).not.toHaveProperty('smtp_password_set')
})

test('no two forms share a value', () => {
  expect(initialValues(mailclass).login_ids).not.toBe(initialValues(mailclass).login_ids)
})

test.each(resources)('$name: a default is a value that its field takes', resource => {
  const values: Record<string, unknown> = initialValues(resource)
  for (const [field, schema] of Object.entries(writableFields(resource)))
    if (schema.safeParse(undefined).success) expect(schema.parse(values[field])).toEqual(values[field])
})

test('what a write leaves out is left out: defaults of new records are the database’s', () => {
  expect(patchSchema(mailclass).parse({ throttle: 5 })).toEqual({ throttle: 5 })
  expect(createSchema(mailclass).parse({ name: 'bulk' })).toEqual({ name: 'bulk' })
})
