import { queryKeys } from '@emma/client/query-keys.ts'
import { previewList } from '@emma/contract/actions/audience.ts'
import { list } from '@emma/contract/resources/list.ts'
import { member } from '@emma/contract/resources/member.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { Button } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { RecordPage } from '../../../shell/layout/record-page.tsx'
import { useDatasources } from '../../../shell/resource/use-datasources.ts'
import { useMemberColumns } from '../members/member-columns.tsx'
import { SegmentSentence } from './segment-sentence.tsx'
import type { Datasource } from '../members/use-member-table.ts'

/** List of the members that a segment matches now. */
export default function SegmentPreview(): ReactNode {
  const { t } = useTranslation()
  const { data: datasources = [] } = useDatasources()
  const sourceOf = (table: number) => datasources.find(one => one.member_table_id === table)
  return (
    <RecordPage
      resource={list}
      back="/subscribers/segments"
      title={record => record?.name ?? t('screens.segment_preview')}
      subtitle={record => <SegmentSentence segment={record} datasource={sourceOf(record.member_table_id)} />}
      actions={record => (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} />}
          renderRoot={props => (
            <Link to="/subscribers/segments/edit/$id" params={{ id: String(record.list_id) }} {...props} />
          )}
        >
          {t('audience.list.edit')}
        </Button>
      )}
    >
      {record => {
        const datasource = record && sourceOf(record.member_table_id)
        return datasource && <Found listId={record.list_id} datasource={datasource} />
      }}
    </RecordPage>
  )
}

/** The member resource, served from the preview path of segments. */
const found = { ...member, paths: previewList.paths }

function Found({ listId, datasource }: { listId: number; datasource: Datasource }): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState()
  const table = datasource.member_table_id
  return (
    <ListScreen
      name={`member.${table}`}
      label={t('screens.segment_preview')}
      columns={useMemberColumns(datasource)}
      rowKey={row => row.member_id}
      rowLabel={row => row.email}
      queryKey={[...queryKeys.record(list, listId), 'members']}
      load={(query, options) => api.list(found, query, { ...options, params: { id: listId } })}
      state={state}
      onStateChange={setState}
      href={row => `/subscribers/edit/${row.member_id}?table=${table}`}
      empty={{ title: t('audience.list.nobody_title'), text: t('audience.list.nobody_text') }}
    />
  )
}
