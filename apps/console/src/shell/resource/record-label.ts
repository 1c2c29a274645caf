import type { Resource } from '@emma/contract/define-resource.ts'

/** Value of a record's label field; empty if it has none. */
export function labelOf(resource: Resource, record: object): string {
  const label: unknown = Reflect.get(record, resource.label)
  return typeof label === 'string' ? label : ''
}
