import { queryKeys } from '@emma/client/query-keys.ts'
import { client as clients } from '@emma/contract/resources/client.ts'
import { matches } from '@emma/ui/select/match-option.ts'
import { Combobox, UnstyledButton, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconBuilding, IconCheck, IconSelector } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../session/api.ts'
import classes from './top-bar.module.css'
import { useSession } from '../session/use-session.ts'
import { useSwitchClient } from '../session/use-switch-client.ts'

const shownClients = 25

/** Shows the active client and lets the user switch to another one. */
export function ClientSwitcher(): ReactNode {
  const { t } = useTranslation()
  const { client: active } = useSession()
  const switchTo = useSwitchClient()
  const [search, setSearch] = useState('')
  const [needle] = useDebouncedValue(search, 150)
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose: () => {
      setSearch('')
      combobox.resetSelectedOption()
    },
  })
  const query = { search: needle, limit: shownClients, sort: { field: 'name' } }
  const { data } = useQuery({
    queryKey: queryKeys.list(clients, query),
    queryFn: ({ signal }) => api.list(clients, query, { signal }),
    enabled: combobox.dropdownOpened,
    placeholderData: keepPreviousData,
  })
  // Filters cached results immediately: Enter must not select a client of the previous search.
  const offered = data?.data.filter(({ name }) => matches(name, search))

  return (
    <Combobox
      store={combobox}
      width={280}
      position="bottom-start"
      onOptionSubmit={value => {
        const chosen = offered?.find(one => String(one.client_id) === value)
        combobox.closeDropdown()
        if (chosen) void switchTo(chosen.client_id, chosen.name)
      }}
    >
      <Combobox.Target targetType="button">
        <UnstyledButton
          className={classes.client}
          aria-label={`${t('shell.client_switch')}: ${active?.name ?? '–'}`}
          onClick={() => combobox.toggleDropdown()}
        >
          <IconBuilding size={16} stroke={1.6} aria-hidden />
          <span>{active?.name ?? '–'}</span>
          <IconSelector size={14} stroke={1.8} aria-hidden />
        </UnstyledButton>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
          placeholder={t('shell.client_search')}
          aria-label={t('shell.client_search')}
        />
        <Combobox.Options aria-label={t('shell.client')} mah={320} style={{ overflowY: 'auto' }}>
          {offered?.map(({ client_id, name }) => (
            <Combobox.Option
              key={client_id}
              value={String(client_id)}
              active={client_id === active?.client_id}
            >
              <span className={classes.option}>
                {name}
                {client_id === active?.client_id && <IconCheck size={15} aria-hidden />}
              </span>
            </Combobox.Option>
          ))}
          {offered?.length === 0 && <Combobox.Empty>{t('shell.client_none')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
