import type { Resource } from '@emma/contract/define-resource.ts'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/**
 * Returns the labels of a resource's fields: `{area}.{resource}.fields.{field}` of the feature's texts. For `labels` of
 * a record form and column headers.
 *
 * @param texts text key prefix; `{area}.{resource}` by default
 */
export function useFieldLabels(
  resource: Pick<Resource, 'name' | 'area'>,
  fields: readonly string[],
  texts = `${resource.area}.${resource.name}`,
): Readonly<Record<string, string>> {
  const { t } = useTranslation()
  return useMemo(() => {
    const prefix: string = `${texts}.fields.`
    return Object.fromEntries(fields.map(field => [field, t(prefix + field)]))
  }, [t, texts, fields])
}
