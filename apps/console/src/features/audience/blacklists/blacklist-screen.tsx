import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { Button } from '@mantine/core'
import { IconHistory, IconPencil } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ResourceList } from '../../../shell/resource/resource-list.tsx'
import { useRights } from '../../../shell/session/use-rights.ts'
import { BlacklistEntries } from './blacklist-entries.tsx'
import { type Blacklist, type BlacklistKind, kinds } from './blacklist-kinds.ts'
import { BlacklistModal } from './blacklist-modal.tsx'

/** The blacklists of one type, or with `?list=3` the entries of one. */
export function BlacklistScreen({ kind }: { kind: BlacklistKind }): ReactNode {
  const { list }: { list?: unknown } = useSearch({ strict: false })
  const id = Number(list)
  if (Number.isSafeInteger(id) && id > 0) return <BlacklistEntries key={id} id={id} kind={kind} />
  return <Lists kind={kind} />
}

function Lists({ kind }: { kind: BlacklistKind }): ReactNode {
  const { t } = useTranslation()
  const { mayChange } = useRights(blacklist)
  const [edited, setEdited] = useState<Blacklist | 'new' | null>(null)
  const { path, text } = kinds[kind]
  return (
    <>
      <ResourceList
        resource={blacklist}
        name={`blacklist.${kind}`}
        subtitle={t(text)}
        buttons={
          <Button
            variant="default"
            leftSection={<IconHistory size={16} />}
            renderRoot={props => <Link to={`${path}/imports`} {...props} />}
          >
            {t('audience.blacklist.imports')}
          </Button>
        }
        columns={['name', { id: 'match', width: 200 }, { id: 'count', width: 130 }, 'updated_at']}
        where={{ type: kind }}
        href={row => `${path}?list=${row.blacklist_id}`}
        onNew={() => setEdited('new')}
        actions={row =>
          mayChange
            ? [
                {
                  id: 'edit',
                  label: t('audience.blacklist.edit'),
                  icon: <IconPencil size={16} />,
                  run: () => setEdited(row),
                },
              ]
            : []
        }
        empty={{ text: t(text) }}
      />
      {edited !== null && (
        <BlacklistModal
          kind={kind}
          record={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  )
}
