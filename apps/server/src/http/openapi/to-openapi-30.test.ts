import { expect, test } from 'vitest'
import { toOpenapi30 } from './to-openapi-30.ts'

test.each([
  [{ type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, { type: 'integer', nullable: true }],
  [{ anyOf: [{ $ref: '#/a' }, { type: 'null' }] }, { anyOf: [{ $ref: '#/a' }], nullable: true }],
  [
    { anyOf: [{ type: 'integer' }, { type: 'string' }, { type: 'null' }] },
    { anyOf: [{ type: 'integer' }, { type: 'string' }], nullable: true },
  ],
  [
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'integer', minimum: 0, exclusiveMinimum: true },
  ],
  [
    { type: 'integer', exclusiveMaximum: 9 },
    { type: 'integer', maximum: 9, exclusiveMaximum: true },
  ],
  [{ const: 1 }, { enum: [1] }],
  [
    { type: 'string', examples: ['a', 'b'] },
    { type: 'string', example: 'a' },
  ],
  [
    { type: 'array', prefixItems: [{ type: 'string' }] },
    { type: 'array', items: {} },
  ],
  [
    { type: 'object', propertyNames: { type: 'string' }, additionalProperties: { const: 'x' } },
    { type: 'object', additionalProperties: { enum: ['x'] } },
  ],
  [
    { type: 'string', contentMediaType: 'text/csv' },
    { type: 'string', format: 'binary' },
  ],
  // Fields and values may be named like keywords.
  [
    { properties: { const: { type: ['number', 'null'] }, examples: { type: 'array', items: { const: 2 } } } },
    {
      properties: {
        const: { type: 'number', nullable: true },
        examples: { type: 'array', items: { enum: [2] } },
      },
    },
  ],
  [
    { example: { const: 3, type: ['a', 'null'] }, default: { exclusiveMinimum: 1 } },
    { example: { const: 3, type: ['a', 'null'] }, default: { exclusiveMinimum: 1 } },
  ],
])('%j becomes %j', (given, expected) => {
  const { components } = toOpenapi30({ openapi: '3.1.0', components: { schemas: { One: given } } })
  expect(components).toEqual({ schemas: { One: expected } })
})

test('a license keeps its name, without the identifier of OpenAPI 3.1', () => {
  const info = { title: 'EMMA', version: '1', license: { name: 'MIT', identifier: 'MIT' } }
  expect(toOpenapi30({ openapi: '3.1.0', info })).toEqual({
    openapi: '3.0.3',
    info: { title: 'EMMA', version: '1', license: { name: 'MIT' } },
  })
})
