import { expect, test } from 'vitest'
import { resources } from './resource-list.ts'
import { createSchema, initialValues, patchSchema, writableFields } from './resource-schemas.ts'
import { mailclass } from './resources/mailclass.ts'

test('initial values are the defaults, else empty values of the field’s type', () => {
  const values = initialValues(mailclass)
  expect(values).toMatchObject({ type: 'bulk', max_connections: 10, login_ids: [], active: true })
  expect(values).toMatchObject({ name: '', smtp_port: null, warmup_start: null })
  expect(values).not.toHaveProperty('mailclass_id')
  expect(values).not.toHaveProperty('smtp_password_set')
})

test('initial values are not shared between forms', () => {
  expect(initialValues(mailclass).login_ids).not.toBe(initialValues(mailclass).login_ids)
})

test.each(resources)('$name: the default of each field is valid', resource => {
  const values: Record<string, unknown> = initialValues(resource)
  for (const [field, schema] of Object.entries(writableFields(resource)))
    if (schema.safeParse(undefined).success) expect(schema.parse(values[field])).toEqual(values[field])
})

test('a write adds no defaults: the database sets those of new records', () => {
  expect(patchSchema(mailclass).parse({ throttle: 5 })).toEqual({ throttle: 5 })
  expect(createSchema(mailclass).parse({ name: 'bulk' })).toEqual({ name: 'bulk' })
})
