import { columnSynonyms } from '@emma/contract/column-synonyms.ts'
import type { MemberColumn } from '@emma/contract/resources/membertable.ts'
import type { MappingTarget } from '@emma/ui/upload/match-columns.ts'
import { useTranslation } from 'react-i18next'
import { columnLabel } from '../../../shell/resource/column-label.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import type { Upload } from './upload-calls.ts'

const writableFixed = new Set(['email', 'datejoin', 'source', 'doi_state', 'doi_at'])

/** Modes that read only the address. */
export const keyModes: readonly Upload['mode'][] = ['unsubscribe', 'delete']

/** Mapping targets: the columns of the datasource or of a blacklist, with their types by name. */
export function useUploadTargets(upload: Upload): {
  targets: MappingTarget[]
  /** All columns of the datasource. */
  schema: readonly MemberColumn[]
  dataTypes: ReadonlyMap<string, string>
} {
  const { t } = useTranslation()
  const { data: datasources = [] } = useDatasources()
  const needed = (targets: MappingTarget[]) =>
    keyModes.includes(upload.mode) ? targets.filter(target => target.isRequired) : targets
  if (upload.blacklist_id !== null) {
    const targets = ['value', 'reason', 'expires_at'].map(value => ({
      value,
      label: t(`audience.blacklist.entry.${value}`),
      isRequired: value === 'value',
      synonyms: columnSynonyms[value] ?? [],
    }))
    return { targets: needed(targets), schema: [], dataTypes: new Map([['expires_at', 'datetime']]) }
  }
  const source = datasources.find(one => one.member_table_id === upload.member_table_id)
  const schema = source?.emmamembertableschema ?? []
  const writable = schema.filter(column => !column.is_fixed || writableFixed.has(column.column_name))
  const targets = writable.map(column => ({
    value: column.column_name,
    label: columnLabel(column, t),
    isRequired: column.column_name === 'email',
    synonyms: [column.label, ...(columnSynonyms[column.column_name] ?? [])],
  }))
  return {
    targets: needed(targets),
    schema,
    dataTypes: new Map(writable.map(column => [column.column_name, column.data_type])),
  }
}
