import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'

export interface Tab {
  id: string
  label: ReactNode
  icon?: ReactNode
  /** Drawn when the tab is first opened. */
  content: () => ReactNode
}

export interface TabPanelsProps {
  tabs: readonly Tab[]
  label: string
  chosen: string
  onChoose: (id: string) => void
}

/** Views of one thing, one at a time. */
export function TabPanels({ tabs, label, chosen, onChoose }: TabPanelsProps): ReactNode {
  const current = tabs.some(tab => tab.id === chosen) ? chosen : (tabs[0]?.id ?? '')
  return (
    <Tabs value={current} onChange={id => onChoose(id ?? '')} keepMounted={false}>
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(tab => (
          <Tabs.Tab key={tab.id} value={tab.id} leftSection={tab.icon}>
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(tab => (
        <Tabs.Panel key={tab.id} value={tab.id}>
          {tab.id === current && tab.content()}
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

export interface UrlTabsProps {
  tabs: readonly Tab[]
  label: string
  /** Search parameter that names the open tab. */
  parameter?: string
}

/** Tabs whose choice is in the URL: a link opens the right one, and "back" goes to the one before. */
export function UrlTabs({ tabs, label, parameter = 'tab' }: UrlTabsProps): ReactNode {
  const search: Record<string, unknown> = useSearch({ strict: false })
  const navigate = useNavigate()
  const chosen = search[parameter]
  return (
    <TabPanels
      tabs={tabs}
      label={label}
      chosen={typeof chosen === 'string' ? chosen : ''}
      onChoose={id =>
        void navigate({
          to: '.',
          search: (current: Record<string, unknown>) => ({
            ...current,
            [parameter]: id === tabs[0]?.id ? undefined : id,
          }),
          resetScroll: false,
        })
      }
    />
  )
}
