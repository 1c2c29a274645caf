import type { Resource } from '@emma/contract/define-resource.ts'

/** What a record is called. */
export function labelOf(resource: Resource, record: object): string {
  const label: unknown = Reflect.get(record, resource.search[0] ?? '')
  return typeof label === 'string' ? label : ''
}
