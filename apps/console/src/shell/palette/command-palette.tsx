import '@mantine/spotlight/styles.layer.css'
import { email } from '@emma/contract/fields.ts'
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconArrowRight, IconBuilding, IconFileText, IconMailSearch, IconSearch } from '@tabler/icons-react'
import { useNavigate, useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './command-palette.module.css'
import { type FoundRecord, useRecordSearch } from './palette-records.ts'
import { paletteStore } from './palette-store.ts'
import { useNavigation } from '../layout/use-navigation.ts'
import { usePaletteCommands } from './use-palette-commands.tsx'
import { usePermission } from '../session/use-session.ts'
import { useSwitchClient } from '../session/use-switch-client.ts'

/** The command palette (⌘K): screens that the user may open, records by name, and commands. */
export function CommandPalette(): ReactNode {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const { found, isSearching } = useRecordSearch(query)
  const groups: SpotlightActionGroupData[] = [
    { group: t('shell.search_screens'), actions: useScreenActions() },
    {
      group: t('shell.search_records'),
      actions: [...useRecordActions(found, query), ...useAddressActions(query.trim())],
    },
    { group: t('shell.search_commands'), actions: usePaletteCommands() },
  ]
  return (
    <Spotlight
      store={paletteStore}
      query={query}
      onQueryChange={setQuery}
      actions={groups}
      // The shell handles the shortcut, even before the palette is loaded.
      shortcut={null}
      limit={24}
      scrollable
      maxHeight={420}
      centered={false}
      yOffset="12vh"
      overlayProps={{ blur: 0, backgroundOpacity: 0.35 }}
      classNames={{ action: classes.action ?? '', search: classes.search ?? '' }}
      highlightQuery
      attributes={{ content: { 'aria-label': t('shell.search_short') } }}
      nothingFound={t(isSearching ? 'misc.loading' : 'shell.search_nothing')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.6} />,
        placeholder: t('shell.search'),
        'aria-label': t('shell.search_short'),
      }}
    />
  )
}

function useScreenActions() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const icon = <IconArrowRight size={16} stroke={1.6} />
  return useNavigation().flatMap(area =>
    area.entries.map(({ to, params, title }) => ({
      id: to,
      label: t(title),
      description: t(`areas.${area.key}`),
      leftSection: icon,
      onClick: () => void navigate({ to, params: params ?? {} }),
    })),
  )
}

/** For an address, found or not: why it gets no mail. */
function useAddressActions(query: string) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const mayRead = usePermission({ all: ['EmmaMember:get'] })
  if (!mayRead || !email.safeParse(query).success) return []
  return [
    {
      id: 'address-check',
      label: t('shell.check_address', { email: query }),
      description: t('screens.address_check'),
      keywords: query,
      leftSection: <IconMailSearch size={16} stroke={1.6} />,
      onClick: () => void navigate({ to: '/subscribers/address-check', search: { email: query } }),
    },
  ]
}

function useRecordActions(found: readonly FoundRecord[], query: string) {
  const { t } = useTranslation()
  const { history } = useRouter()
  const switchTo = useSwitchClient()
  return found.map(({ id, label, kind, path, clientId }) => {
    const Icon = path === null ? IconBuilding : IconFileText
    return {
      id,
      label,
      description: t(kind),
      // The server has filtered: the query as keyword keeps the palette's own filter from hiding results.
      keywords: query,
      leftSection: <Icon size={16} stroke={1.6} />,
      onClick: () => {
        if (path !== null) history.push(path)
        else if (clientId !== undefined) void switchTo(clientId, label)
      },
    }
  })
}
