import { member } from '@emma/contract/resources/member.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { Select } from '@emma/ui/select/select.tsx'
import type { SelectSource } from '@emma/ui/select/select-source.ts'
import { NativeSelect } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import classes from '../content.module.css'
import type { Viewer } from './template-rendering.ts'

interface ViewerChoiceProps {
  viewer: Viewer | null
  /** Null: no datasource selected. */
  memberTableId: number | null
  onTable: (memberTableId: number | null) => void
  onChoose: (viewer: Viewer | null) => void
}

/** Selects the member whose data the preview uses, or sample data. */
export function ViewerChoice({ viewer, memberTableId, onTable, onChoose }: ViewerChoiceProps): ReactNode {
  const { t } = useTranslation()
  const mayLook = usePermission({ all: ['EmmaMember:get'] })
  const { data: datasources = [] } = useDatasources()
  const chosen = memberTableId
  const source = useMemo(() => (chosen === null ? null : membersOf(chosen)), [chosen])
  if (!mayLook || datasources.length === 0) return null
  return (
    <div className={classes.viewer}>
      {datasources.length > 1 && (
        <NativeSelect
          size="xs"
          aria-label={t('content.message.preview_datasource')}
          value={chosen ?? ''}
          data={[
            { value: '', label: t('content.message.preview_any_datasource') },
            ...datasources.map(one => ({ value: String(one.member_table_id), label: one.name })),
          ]}
          onChange={event => {
            const { value } = event.currentTarget
            onTable(value === '' ? null : Number(value))
          }}
        />
      )}
      {chosen !== null && source !== null && (
        <div className={classes.viewerMember}>
          <Select
            label={t('content.message.preview_as')}
            placeholder={t('content.message.preview_sample')}
            source={source}
            isClearable
            value={viewer?.memberId ?? null}
            onChange={id => onChoose(id === null ? null : { memberId: id, memberTableId: chosen })}
          />
        </div>
      )}
    </div>
  )
}

/** Select source of a datasource's members, searched by address or name. */
function membersOf(table: number): SelectSource<number> {
  return {
    key: [...queryKeys.lists(member), 'select', table],
    primaryKey: 'member_id',
    async load({ searchterm, skip, limit, filters = [] }, signal) {
      const page = await api.list(
        member,
        {
          limit,
          offset: skip,
          search: searchterm,
          filters: Object.fromEntries(filters.map(({ field, value }) => [field, value])),
        },
        { params: { member_table_id: table }, signal },
      )
      return {
        data: page.data.map(row => ({ value: row.member_id, label: row.email })),
        total: page.pagination.total,
      }
    },
  }
}
