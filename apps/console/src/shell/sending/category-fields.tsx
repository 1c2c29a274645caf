import type { FormPart } from '@emma/ui/form/form-part.ts'
import { Input, MultiSelect, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useCategories } from '../resource/use-categories.ts'
import type { TemplateValues } from './sending-values.ts'

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
