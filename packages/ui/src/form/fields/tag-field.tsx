import type { ReactNode } from 'react'
import { useTranslate } from '../../i18n.tsx'
import type { FieldProps } from '../field-name.ts'
import { TagsBox } from '../tags-box.tsx'
import { ariaRequired, fieldProps } from './field-props.ts'

export interface TagFieldProps<V extends object> extends FieldProps<V, readonly string[] | null> {
  /** Suggestions while typing; other values are allowed. */
  suggestions?: readonly string[]
  maxTags?: number
}

/** Field for several short texts, each added by Enter. Pasted lists are split at commas, semicolons and line breaks. */
export function TagField<V extends object>(props: TagFieldProps<V>): ReactNode {
  const { form, name, suggestions = [], maxTags } = props
  const t = useTranslate()
  const field = form.field(name)
  const tags = Array.isArray(field.value) ? field.value.filter(tag => typeof tag === 'string') : []
  return (
    <TagsBox
      {...fieldProps(field, props)}
      {...ariaRequired(field)}
      data={[...suggestions]}
      placeholder={tags.length === 0 ? t('form.tag_add') : ''}
      clearable
      clearButtonProps={{ 'aria-label': t('form.clear', { name: field.label }) }}
      {...(maxTags === undefined ? {} : { maxTags })}
      value={tags}
      onChange={field.set}
    />
  )
}
