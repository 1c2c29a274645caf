import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { category } from '@emma/contract/resources/category.ts'
import type { FormPart } from '@emma/ui/form/form-part.ts'
import { Input, MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import { usePermission } from '../session/use-session.ts'
import type { TemplateValues } from './sending-values.ts'

type Category = RecordOf<typeof category>

/** All categories of the client; none for users who may not see them. */
export function useCategories(): readonly Category[] {
  const mayRead = usePermission({ all: ['EmmaCategoryValue:get'] })
  const { data = [] } = useQuery({
    queryKey: [...queryKeys.lists(category), 'all'],
    queryFn: ({ signal }) => api.listAll(category, {}, { signal }),
    enabled: mayRead,
  })
  return data
}

/** One field for each category of the client: a single value, or several. */
export function CategoryFields({ form }: { form: FormPart<TemplateValues> }): ReactNode {
  const { t } = useTranslation()
  const chosen = form.values.category_value_ids
  const { error } = form.field('category_value_ids')
  const categories = useCategories()
  if (categories.length === 0) return null
  return (
    <>
      {categories.map(({ category_id, name, values, is_multi, is_required }) => {
        const own = values.flatMap(({ value_id, label, active }) =>
          value_id !== null && (active || chosen.includes(value_id))
            ? [{ value: String(value_id), label }]
            : [],
        )
        const ids = new Set(own.map(({ value }) => Number(value)))
        const selected = chosen.filter(id => ids.has(id)).map(String)
        const choose = (next: readonly string[]) =>
          form.set('category_value_ids', [...chosen.filter(id => !ids.has(id)), ...next.map(Number)])
        const common = {
          label: is_required ? `${name} *` : name,
          data: own,
          clearable: true,
          placeholder: selected.length === 0 ? t('campaigns.category.choose') : '',
        }
        return is_multi ? (
          <MultiSelect key={category_id} {...common} value={selected} onChange={choose} searchable />
        ) : (
          <Select
            key={category_id}
            {...common}
            value={selected[0] ?? null}
            onChange={next => choose(next === null ? [] : [next])}
          />
        )
      })}
      {error && <Input.Error id={form.idOf('category_value_ids')}>{error}</Input.Error>}
    </>
  )
}
