import type { Resource } from '@emma/contract/define-resource.ts'

/** What a record is called; empty where it has no name. */
export function labelOf(resource: Resource, record: object): string {
  const label: unknown = Reflect.get(record, resource.label)
  return typeof label === 'string' ? label : ''
}
