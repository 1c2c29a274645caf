import type { Filter, Resource } from '@emma/contract/define-resource.ts'
import type { ListFilter } from '@emma/ui/list/list-parts.ts'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { choiceText } from './choice-text.ts'

/** A filter name of the contract, or a partial filter: missing parts are derived from the contract. */
export type ResourceFilter<R extends Resource> =
  | FilterName<R>
  | (Partial<ListFilter> & { name: FilterName<R> })

export type FilterName<R extends Resource> = keyof R['filters'] & string

/**
 * Filters of a resource's list; the first is always visible. Choices without options are left out.
 *
 * @param texts text key prefix of the resource: `deliverability.mailclass`
 */
export function useResourceFilters<R extends Resource>(
  resource: R,
  filters: readonly ResourceFilter<R>[],
  texts: string,
): ListFilter[] {
  const { t } = useTranslation()
  const all = filters.map((filter, index): ListFilter => {
    const name = filterName(filter)
    const { column = name, operator, value } = contractFilter(resource, name)
    const given: Partial<ListFilter> = typeof filter === 'string' ? {} : filter
    return {
      name,
      kind: kinds[operator],
      pinned: index === 0,
      ...(value instanceof z.ZodEnum
        ? {
            options: value.options.map(option => ({
              value: String(option),
              label: t(choiceText(texts, column, String(option))),
            })),
          }
        : {}),
      ...given,
      label: given.label ?? t(name === 'onlyactive' ? 'state.only_active' : `${texts}.fields.${column}`),
    }
  })
  return all.filter(({ options }) => options?.length !== 0)
}

export function filterName<R extends Resource>(filter: ResourceFilter<R>): FilterName<R> {
  return typeof filter === 'string' ? filter : filter.name
}

/** `special` filters that lists show are choices. */
const kinds: Readonly<Record<Filter['operator'], ListFilter['kind']>> = {
  eq: 'choice',
  special: 'choice',
  flag: 'flag',
  contains: 'text',
  after: 'date',
  before: 'date',
}

function contractFilter(resource: Resource, name: string): Filter {
  const filter = resource.filters[name]
  if (!filter) throw new Error(`${resource.name} has no filter ${name}.`)
  return filter
}
