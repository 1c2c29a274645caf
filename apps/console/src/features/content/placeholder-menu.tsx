import { placeholder } from '@emma/contract/resources/placeholder.ts'
import { queryKeys } from '@emma/client/query-keys.ts'
import { Button, Menu } from '@mantine/core'
import { IconBraces } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../shell/api.ts'
import { useDatasources } from '../../shell/use-datasources.ts'

const links = ['unsubscribe', 'browser', 'preferences'] as const

/** Everything that may stand between braces: columns of the datasources, modules, links. */
export function PlaceholderMenu({ onPick }: { onPick: (text: string) => void }): ReactNode {
  const { t } = useTranslation()
  const datasources = useDatasources().data ?? []
  const modules = useQuery({
    queryKey: queryKeys.list(placeholder, { limit: 100 }),
    queryFn: () => api.list(placeholder, { limit: 100 }),
  })
  const columns = new Map(
    datasources.flatMap(source =>
      source.emmamembertableschema
        .filter(column => !column.is_fixed || column.column_name === 'email')
        .map(column => [column.column_name, column.label] as const),
    ),
  )
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" size="xs" leftSection={<IconBraces size={14} />}>
          {t('content.message.insert')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('content.message.insert_columns')}</Menu.Label>
        {[...columns].map(([name, label]) => (
          <Menu.Item key={name} onClick={() => onPick(`{{ member.${name} | default: "" }}`)}>
            {label}
          </Menu.Item>
        ))}
        {modules.data && modules.data.data.length > 0 && (
          <>
            <Menu.Label>{t('screens.placeholders')}</Menu.Label>
            {modules.data.data.map(module => (
              <Menu.Item key={module.module_id} onClick={() => onPick(`{{ module.${module.token} }}`)}>
                {module.name}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Label>{t('content.message.insert_links')}</Menu.Label>
        {links.map(link => (
          <Menu.Item
            key={link}
            onClick={() => onPick(`<a href="{{ link.${link} }}">${t(`content.message.links.${link}`)}</a>`)}
          >
            {t(`content.message.links.${link}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
