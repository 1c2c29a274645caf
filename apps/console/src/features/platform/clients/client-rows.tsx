import type { RecordOf } from '@emma/client/emma-client.ts'
import { client } from '@emma/contract/resources/client.ts'
import { DetailsDrawer } from '@emma/ui/layout/details-drawer.tsx'
import type { Column } from '@emma/ui/list/list-parts.ts'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActiveBadge } from '../../../shell/resource/active-state.tsx'
import { ResourceRows, type ResourceRowsProps } from '../../../shell/resource/resource-rows.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import { ClientForm } from './client-form.tsx'

export type Client = RecordOf<typeof client>

interface ClientRowsProps extends Pick<ResourceRowsProps<typeof client>, 'name' | 'actions' | 'isRemovable'> {
  extraColumn?: Column<Client>
}

/** List of the clients that the user may read; a row opens in a drawer. */
export function ClientRows({ extraColumn, ...rows }: ClientRowsProps): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(client)
  const [opened, setOpened] = useState<Client | null>(null)
  return (
    <>
      <ResourceRows
        {...rows}
        resource={client}
        label={t('screens.clients')}
        columns={[
          'name',
          'contact_email',
          { id: 'brand', width: 110, cell: row => row.brand.toUpperCase(), hidden: true },
          { id: 'language', width: 120 },
          { id: 'timezone', width: 170, wideOnly: true },
          {
            id: 'is_active',
            header: t('field.active'),
            width: 120,
            cell: row => <ActiveBadge isActive={row.is_active} />,
          },
          ...(extraColumn ? [extraColumn] : []),
        ]}
        filters={['onlyactive']}
        onOpen={mayChange ? setOpened : null}
        hasBulk={false}
      />
      <DetailsDrawer
        title={opened?.name ?? ''}
        isOpen={opened !== null}
        onClose={() => setOpened(null)}
        size="xl"
      >
        {opened && <ClientForm record={opened} onSaved={() => setOpened(null)} />}
      </DetailsDrawer>
    </>
  )
}
