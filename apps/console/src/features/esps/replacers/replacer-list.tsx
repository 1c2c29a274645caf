import type { RecordOf } from '@emma/client/emma-client.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { espReplacer } from '@emma/contract/resources/esp-replacer.ts'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { ListScreen } from '@emma/ui/list/list-screen.tsx'
import { useListState } from '@emma/ui/list/use-list-state.ts'
import { useFormat } from '@emma/ui/i18n.tsx'
import { Code } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { NewButton } from '../../../shell/layout/new-button.tsx'
import { useRemoveActions } from '../../../shell/resource/use-remove-actions.tsx'
import { pathOf, ServicePage } from '../service-page.tsx'

type Replacer = RecordOf<typeof espReplacer>

const defaults = { sort: { field: 'order', descending: false } }

/** What one service writes in place of our tokens. */
export default function ReplacerList(): ReactNode {
  const { t } = useTranslation()
  const [state, setState] = useListState({ defaults })
  const removal = useRemoveActions(espReplacer, row => row.search)
  const columns = useColumns()
  const create = (path: string) => (
    <NewButton resource={espReplacer} href={`${path}/edit/new`} label={t('esps.esp_replacer.new')} />
  )
  return (
    <ServicePage
      kind="replacers"
      title={t('screens.esp_replacers')}
      subtitle={t('esps.esp_replacer.subtitle')}
      actions={esp => create(pathOf('replacers', esp))}
    >
      {esp => (
        <ListScreen
          name="esp_replacer"
          label={t('screens.esp_replacers')}
          columns={columns}
          rowKey={row => row.id}
          rowLabel={row => row.search}
          queryKey={[...queryKeys.lists(espReplacer), esp]}
          load={(query, options) =>
            api.list(espReplacer, { ...query, filters: { ...query.filters, esp: [esp] } }, options)
          }
          state={state}
          onStateChange={setState}
          href={row => `${pathOf('replacers', esp)}/edit/${row.id}`}
          rowActions={row => removal.forRow(row)}
          bulkActions={removal.forMany}
          empty={{
            title: t('esps.esp_replacer.empty_title'),
            text: t('esps.esp_replacer.empty_text'),
            action: create(pathOf('replacers', esp)),
          }}
        />
      )}
    </ServicePage>
  )
}

function useColumns(): Column<Replacer>[] {
  const { t } = useTranslation()
  const format = useFormat()
  const label = (field: string) => t(`esps.esp_replacer.fields.${field}`)
  return [
    { id: 'search', header: label('search'), sort: 'search', cell: row => <Code>{row.search}</Code> },
    { id: 'replace', header: label('replace'), cell: row => row.replace && <Code>{row.replace}</Code> },
    {
      id: 'order',
      header: label('order'),
      sort: 'order',
      width: 120,
      align: 'end',
      cell: row => format.number(row.order),
    },
  ]
}
